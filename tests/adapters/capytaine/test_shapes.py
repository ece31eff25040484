"""Parametric hulls against closed forms and quadrature; panels against the exact shape."""

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.integrate import quad

from adapters.capytaine.box import Box
from adapters.capytaine.hulls import Hull, prepare
from adapters.capytaine.panels import triangles
from adapters.capytaine.shapes import Revolution, Sphere, VerticalCylinder
from adapters.capytaine.submerged import submerged_of_panels
from cosim.errors import DatabaseError

SPAR = ((4.7, -120.0), (4.7, -12.0), (3.25, -4.0), (3.25, 10.0))
SHAPES = {
    "hemisphere": Sphere(radius=5.0),
    "deep sphere": Sphere(radius=5.0, z=-2.0),
    "shallow sphere": Sphere(radius=5.0, z=3.0),
    "submerged sphere": Sphere(radius=5.0, z=-7.0),
    "cylinder": VerticalCylinder(radius=3.0, bottom=-4.0, top=2.0),
    "submerged cylinder": VerticalCylinder(radius=3.0, bottom=-4.0, top=-1.0),
    "box": Box(length=20.0, width=14.0, bottom=-5.0, top=3.0),
    "submerged box": Box(length=20.0, width=14.0, bottom=-5.0, top=-1.0),
    "spar": Revolution(profile=SPAR),
    "stepped": Revolution(profile=((0.0, -9.0), (6.0, -7.0), (6.0, -6.0), (2.0, -6.0), (2.0, 1.0))),
}


@pytest.mark.parametrize("z", [0.0, -2.0, 3.0, -5.0, -7.0])
def test_sphere_against_the_cap_formulas(z):
    R = 5.0
    s = Sphere(radius=R, z=z).submerged()
    h = min(R - z, 2.0 * R)
    volume = np.pi * h * h * (3.0 * R - h) / 3.0
    centroid = z - 0.75 * (2.0 * R - h) ** 2 / (3.0 * R - h)
    rim2 = max(R * R - z * z, 0.0)
    assert s.volume == pytest.approx(volume, rel=1e-12)
    assert s.centre[2] == pytest.approx(centroid, abs=1e-12)
    assert s.area == pytest.approx(np.pi * rim2, abs=1e-12)
    assert s.waterplane[1, 1] == pytest.approx(np.pi * rim2**2 / 4.0, abs=1e-12)


def test_revolution_against_quadrature():
    heights, radii = [-120.0, -12.0, -4.0, 0.0], [4.7, 4.7, 3.25, 3.25]

    def area(z):
        return np.pi * np.interp(z, heights, radii) ** 2

    volume = quad(area, -120.0, 0.0, points=[-12.0, -4.0], epsabs=1e-9)[0]
    moment = quad(lambda z: z * area(z), -120.0, 0.0, points=[-12.0, -4.0], epsabs=1e-7)[0]
    s = Revolution(profile=SPAR).submerged()
    assert s.volume == pytest.approx(volume, rel=1e-10)
    assert s.centre[2] == pytest.approx(moment / volume, rel=1e-10)
    assert s.area == pytest.approx(np.pi * 3.25**2, rel=1e-12)


def test_oc3_spar_displaces_the_published_volume():
    # NREL/TP-500-47535, section 4.2: 8,029.21 m3, centre of buoyancy 62.07 m below the water
    s = Revolution(profile=SPAR).submerged()
    assert s.volume == pytest.approx(8029.21, abs=0.005)
    assert s.centre[2] == pytest.approx(-62.07, abs=0.005)


def test_box_in_closed_form():
    s = SHAPES["box"].submerged()
    assert (s.volume, s.area) == pytest.approx((20.0 * 14.0 * 5.0, 280.0), rel=1e-12)
    assert s.centre == pytest.approx([0.0, 0.0, -2.5])
    assert np.diag(s.waterplane)[1:] == pytest.approx([14 * 20**3 / 12, 20 * 14**3 / 12])


@pytest.mark.parametrize("name", SHAPES)
def test_panels_keep_volume_and_waterplane(name):
    shape = SHAPES[name]
    exact, panels = shape.submerged(), submerged_of_panels(shape.panels()[0])
    assert panels.volume == pytest.approx(exact.volume, rel=1e-10)
    assert panels.area == pytest.approx(exact.area, rel=1e-10, abs=1e-10)
    # what remains is the discretisation: 0.1 % of the draft, 0.1 % of the second moments
    assert panels.centre == pytest.approx(exact.centre, abs=0.006)
    assert panels.waterplane == pytest.approx(exact.waterplane, rel=1e-3, abs=1e-9)


@pytest.mark.parametrize("sectors", [8, 24, 25])
def test_volume_does_not_depend_on_the_number_of_sectors(sectors):
    shape = Revolution(profile=SPAR, sectors=sectors)
    assert submerged_of_panels(shape.panels()[0]).volume == pytest.approx(8029.2092, rel=1e-8)


@pytest.mark.parametrize("name", SHAPES)
def test_hull_and_lid_close_a_surface_seen_from_outside(name):
    hull, lid = SHAPES[name].panels()
    corners = triangles(hull.whole())
    area = 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    if lid is not None:
        corners = triangles(lid.whole())
        cover = 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        assert (cover[:, 2] < 0.0).all()
        area = np.vstack([area, -cover])
    assert area.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-9)


def test_hull_stands_where_its_body_is():
    hull = Hull("b", VerticalCylinder(radius=2.0, bottom=-3.0), (10.0, -20.0, -1.0))
    wetted = prepare(hull, water_depth=np.inf)
    exact, panels = wetted.submerged, submerged_of_panels(wetted.hull)
    assert exact.centre == pytest.approx([10.0, -20.0, -1.5])
    assert panels.centre == pytest.approx(exact.centre, abs=1e-9)
    assert panels.waterplane == pytest.approx(exact.waterplane, rel=2e-4)


def test_turned_box_turns_its_waterplane():
    turned = Box(length=20.0, width=14.0, bottom=-5.0, yaw_deg=30.0, at=(3.0, 4.0))
    wetted = prepare(Hull("b", turned, (0.0, 0.0, -1.0)), water_depth=np.inf)
    panels = submerged_of_panels(wetted.hull)
    assert panels.waterplane == pytest.approx(wetted.submerged.waterplane, rel=1e-9)
    assert wetted.notes == ()


def test_stiffness_of_a_box_about_its_centre_of_gravity():
    # C44 = rho g (I + V (z_B - z_G)), C46 = -rho g V (x_B - x_G)
    rho, g, G = 1025.0, 9.81, np.array([0.5, 0.0, -1.0])
    C = SHAPES["box"].submerged().stiffness(G, rho=rho, g=g)
    V, A = 1400.0, 280.0
    assert C[2, 2] == pytest.approx(rho * g * A)
    assert C[3, 3] == pytest.approx(rho * g * (20 * 14**3 / 12 + V * (-2.5 + 1.0)))
    assert C[4, 4] == pytest.approx(rho * g * (14 * 20**3 / 12 + A * 0.25 + V * (-2.5 + 1.0)))
    assert C[2, 4] == pytest.approx(rho * g * A * 0.5)
    assert C[3, 5] == pytest.approx(rho * g * V * 0.5)


@pytest.mark.parametrize(
    ("shape", "fields", "said"),
    [
        (Sphere, {"radius": 5.0, "z": 6.0}, "dry"),
        (Sphere, {"radius": -5.0}, "greater than 0"),
        (VerticalCylinder, {"radius": 1.0, "bottom": -1.0, "top": -2.0}, "above 'bottom'"),
        (Revolution, {"profile": ((1.0, -1.0), (1.0, -2.0))}, "go upwards"),
        (Revolution, {"profile": ((1.0, 1.0), (1.0, 2.0))}, "dry"),
        (Box, {"length": 1.0, "width": 1.0, "bottom": -1.0, "draft": 1.0}, "draft"),
    ],
)
def test_impossible_shapes_are_refused(shape, fields, said):
    with pytest.raises(ValidationError, match=said):
        shape(**fields)


def test_rolled_shape_and_grounded_hull_are_refused():
    roll = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    shape = VerticalCylinder(radius=2.0, bottom=-3.0)
    with pytest.raises(DatabaseError, match=r"body 'b'.*cannot be rolled"):
        prepare(Hull("b", shape, (0.0, 0.0, -1.0), rotation=roll), water_depth=np.inf)
    with pytest.raises(DatabaseError, match=r"body 'b'.*-3.00 m.*2.5 m deep"):
        prepare(Hull("b", shape, (0.0, 0.0, -1.0)), water_depth=2.5)
