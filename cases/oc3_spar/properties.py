"""Rigid whole-system properties of the OC3-Hywind spar with the NREL 5-MW turbine.

Sources: NREL/TP-500-47535 (platform, tower on the spar, yaw spring and damping), and
NREL/TP-500-41958 with NREL/TP-500-38060 (turbine). Run it to see every step::

    python cases/oc3_spar/properties.py
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """Mass, kg; height of its centre of gravity, m; own pitch and yaw inertia, kg m²."""

    name: str
    mass: float
    z: float
    pitch: float
    yaw: float


BLADE_FLAP_INERTIA = 11_776_047.0  # about the rotor axis root, TP-500-38060 table 2-2
OVERHANG = 5.0191  # rotor apex to tower axis, m, TP-500-38060 section 1
TOWER = {"base": 10.0, "top": 87.6, "d": (6.5, 3.87), "t": (0.027, 0.019), "rho": 8500.0}


def tower_own_inertia(slices: int = 20_000) -> tuple[float, float]:
    """Pitch (about its centre of gravity) and yaw inertia of the tapered tube, kg m²."""
    height = TOWER["top"] - TOWER["base"]
    mass = moment = second = hoop = 0.0
    for k in range(slices):
        s = (k + 0.5) / slices
        d = TOWER["d"][0] + (TOWER["d"][1] - TOWER["d"][0]) * s
        t = TOWER["t"][0] + (TOWER["t"][1] - TOWER["t"][0]) * s
        dm = TOWER["rho"] * 3.141592653589793 * (d - t) * t * height / slices
        z = TOWER["base"] + s * height
        mass, moment, second = mass + dm, moment + dm * z, second + dm * z * z
        hoop += dm * d * d / 4.0
    return second - moment**2 / mass + hoop / 2.0, hoop


def parts() -> list[Part]:
    """Platform, tower, nacelle and rotor (blades averaged over one revolution)."""
    tower_pitch, tower_yaw = tower_own_inertia()
    rotor = 1.5 * BLADE_FLAP_INERTIA
    return [
        Part("platform with ballast", 7_466_330.0, -89.9155, 4_229_230_000.0, 164_230_000.0),
        Part("tower", 249_718.0, 43.4, tower_pitch, tower_yaw),
        Part("nacelle", 240_000.0, 89.35, 0.0, 2_607_890.0),
        Part("rotor", 110_000.0, 90.0, rotor, rotor + 110_000.0 * OVERHANG**2),
    ]


def whole() -> Part:
    """Sum, moments about the common centre of gravity by the parallel-axis theorem."""
    listing = parts()
    mass = sum(part.mass for part in listing)
    z = sum(part.mass * part.z for part in listing) / mass
    pitch = sum(part.pitch + part.mass * (part.z - z) ** 2 for part in listing)
    return Part("whole system", mass, z, pitch, sum(part.yaw for part in listing))


def main() -> None:
    """Print the table of the README."""
    print(f"{'':24}{'mass kg':>12}{'z m':>11}{'pitch kg m2':>14}{'yaw kg m2':>14}")
    for part in [*parts(), whole()]:
        print(f"{part.name:24}{part.mass:12,.0f}{part.z:11.4f}{part.pitch:14.4e}{part.yaw:14.4e}")


if __name__ == "__main__":
    main()
