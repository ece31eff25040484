"""Time: integration methods, coupling schemes, and the run that uses both.

::

    settings = TimeSettings(end=600.0)
    with ExternalForcesManager(model) as manager:
        manager.register(adapter)
        summary = Simulation(manager, settings, q0, u0).run(recorder, output_step=0.1)

One communication step of length H, in this order: `solve` (the scheme's passes), samples
inside it, `commit` (Steppers advanced once), `accept` of all adapters, sample at its end.
"""

from cosim.integrate.sample import Recorder, Sample
from cosim.integrate.settings import TimeSettings
from cosim.integrate.simulation import Simulation, Summary

__all__ = ["Recorder", "Sample", "Simulation", "Summary", "TimeSettings"]
