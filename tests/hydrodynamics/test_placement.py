from dataclasses import replace

import numpy as np
import pytest

from cosim.algebra.attitude import yaw_matrix
from cosim.errors import DatabaseError
from cosim.hydrodynamics.frame import FixedFrame, SlowFrame
from cosim.hydrodynamics.placement import FrameOptions, make_frame, place


def centres(database, *, shift=(0.0, 0.0, 0.0), yaw=0.0):
    T = yaw_matrix(yaw)
    return {b.name: tuple(T @ b.centre_of_mass + shift) for b in database.bodies}


def test_database_goes_where_its_bodies_are(pair):
    placed = place(pair, centres(pair, shift=(100.0, -40.0, 0.0)), FrameOptions())
    np.testing.assert_allclose(placed.pose, [100.0, -40.0, 0.0])
    np.testing.assert_allclose(placed.database.added_mass, pair.added_mass)


def test_turned_database(pair):
    there = centres(pair, shift=(3.0, 4.0, 0.0), yaw=np.radians(30.0))
    placed = place(pair, there, FrameOptions(yaw_deg=30.0))
    np.testing.assert_allclose(placed.pose, [3.0, 4.0, np.radians(30.0)])
    with pytest.raises(DatabaseError, match="body 'right' has its centre of gravity at"):
        place(pair, there, FrameOptions())


def test_another_draft_is_refused(pair):
    with pytest.raises(DatabaseError, match=r"z differs by 0.2 m; correct the body"):
        place(pair, centres(pair, shift=(0.0, 0.0, 0.2)), FrameOptions())
    place(pair, centres(pair, shift=(0.0, 0.0, 0.0005)), FrameOptions())


def test_other_ballast_moves_the_moments(pair):
    there = centres(pair, shift=(0.0, 0.0, -1.0))
    placed = place(pair, there, FrameOptions(), check_centres=False)
    np.testing.assert_allclose(placed.database.bodies[0].reference_point, [0.0, 0.0, -2.0])
    # heave keeps its added mass, pitch does not
    assert placed.database.added_mass_inf[2, 2] == pytest.approx(pair.added_mass_inf[2, 2])
    assert placed.database.added_mass_inf[4, 4] != pytest.approx(pair.added_mass_inf[4, 4])


def test_unknown_centres_of_mass_stay_at_the_origin(pair):
    bodies = tuple(replace(b, centre_of_mass=None) for b in pair.bodies)
    there = centres(pair, shift=(1.0, 0.0, 0.0))
    placed = place(replace(pair, bodies=bodies), there, FrameOptions())
    np.testing.assert_allclose(placed.pose, 0.0)
    np.testing.assert_allclose(placed.database.bodies[0].reference_point, [1.0, 0.0, -1.0])


def test_frames(pair):
    placed = place(pair, centres(pair), FrameOptions())
    assert isinstance(make_frame(FrameOptions(), placed, pair.names), FixedFrame)
    slow = make_frame(FrameOptions(follow="slow", body="right"), placed, ("right", "left"))
    assert isinstance(slow, SlowFrame)
    with pytest.raises(DatabaseError, match="no body 'middle' to follow"):
        make_frame(FrameOptions(follow="slow", body="middle"), placed, pair.names)
