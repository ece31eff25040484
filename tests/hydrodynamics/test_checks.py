from dataclasses import replace

import numpy as np
import pytest

from cosim.errors import DatabaseError
from cosim.hydrodynamics.check_weight import check_weight
from cosim.hydrodynamics.checks import ImportPolicy, check_database


def sentences(database, policy=None, severity=None):
    found = check_database(database, policy).findings
    return "\n".join(f.sentence for f in found if severity in (None, f.severity))


def changed(array, index, value):
    out = np.array(array)
    out[index] = value
    return out


def test_a_sound_database_gives_no_warning(database, pair):
    assert sentences(database, severity="warning") == ""
    # true of this one: 30 m apart, frequencies 0.1 rad/s apart
    assert sentences(pair, severity="warning").startswith("above 2.5 rad/s the frequencies are")


def test_conjugated_excitation_is_refused(database, pair):
    for db in (database, pair):
        with pytest.raises(DatabaseError, match=r"the data use exp\(\+i omega t\)"):
            check_database(replace(db, excitation=db.excitation.conj()))


def test_excitation_with_the_wrong_sign_is_refused(database):
    with pytest.raises(DatabaseError, match="points down under the crest"):
        check_database(replace(database, excitation=-database.excitation))


def test_a_body_far_from_the_origin_is_judged_at_its_own_place(pair):
    # 30 m from the origin the lowest wave has turned the phase; the check must not mind
    assert pair.bodies[1].reference_point[0] == 30.0
    sentences(pair)


def test_nan_bands_are_refused_or_cut(database):
    holed = replace(database, damping=changed(database.damping, slice(3, 6), np.nan))
    with pytest.raises(DatabaseError, match=r"NaN at omega = 0.4 to 0.6 rad/s.*'nan: cut'"):
        check_database(holed)
    cut = check_database(holed, ImportPolicy(nan="cut"))
    assert cut.database.omega.size == 77
    assert any("were cut: omega = 0.4 to 0.6" in f.sentence for f in cut.findings)


def test_missing_added_mass_at_infinity_is_estimated_and_said(database):
    checked = check_database(replace(database, added_mass_inf=None))
    A = checked.database.added_mass_inf
    size = np.sqrt(np.diag(database.added_mass_inf))
    # the range ends at 8 rad/s with 0.5 % of the damping left
    np.testing.assert_allclose(
        A / np.outer(size, size), database.added_mass_inf / np.outer(size, size), atol=2e-3
    )
    assert "estimated from added mass and damping by Ogilvie" in sentences(
        replace(database, added_mass_inf=None), severity="warning"
    )


def test_added_mass_at_infinity_that_does_not_fit_its_neighbours(database):
    off = replace(database, added_mass_inf=database.added_mass_inf + np.diag([0, 0, 3e4, 0, 0, 0]))
    text = sentences(off, severity="warning")
    assert "at infinite frequency of buoy.heave" in text
    implied = check_database(off, ImportPolicy(added_mass_inf="implied")).database
    assert implied.added_mass_inf[2, 2] == pytest.approx(database.added_mass_inf[2, 2], rel=2e-3)


def test_swapped_limits_are_refused(database):
    omega, A = database.omega, database.added_mass
    zero = A[0] + (A[0] - A[1]) * omega[0] / (omega[1] - omega[0])
    lifted = replace(
        database,
        added_mass=A + 0.0,
        added_mass_zero=zero + np.diag(np.diag(zero)),
        added_mass_inf=database.added_mass_inf,
    )
    swapped = replace(
        lifted, added_mass_inf=lifted.added_mass_zero, added_mass_zero=lifted.added_mass_inf
    )
    with pytest.raises(DatabaseError, match="the two are swapped"):
        check_database(swapped)


def test_asymmetry_is_reported_and_made_symmetric_or_refused(database):
    skew = np.zeros((6, 6))
    size = np.sqrt(database.added_mass_inf[0, 0] * database.added_mass_inf[4, 4])
    skew[0, 4] = 0.005 * size
    checked = check_database(replace(database, added_mass_inf=database.added_mass_inf + skew))
    A = checked.database.added_mass_inf
    np.testing.assert_array_equal(A, A.T)
    assert any("buoy.surge and buoy.pitch differ by 0.5 %" in f.sentence for f in checked.findings)
    far = replace(database, added_mass_inf=database.added_mass_inf + 4.0 * skew)
    with pytest.raises(DatabaseError, match="more than the limit of 1 %"):
        check_database(far)
    check_database(far, ImportPolicy(asymmetry_limit=0.03))


def test_negative_damping_and_spikes_are_pointed_at(database):
    peak = np.abs(database.damping[:, 2, 2]).max()
    negative = replace(database, damping=changed(database.damping, (40, 2, 2), -0.1 * peak))
    assert "damping of buoy.heave is negative at omega = 4.1 rad/s" in sentences(negative)
    span = np.ptp(database.added_mass[:, 2, 2])
    mass = changed(database.added_mass, (60, 2, 2), database.added_mass[60, 2, 2] + span)
    text = sentences(replace(database, added_mass=mass))
    assert "added mass of buoy.heave has a spike at omega = 6.1 rad/s" in text


def test_a_range_that_ends_too_early_is_said(database):
    short = replace(
        database,
        omega=database.omega[:15],
        added_mass=database.added_mass[:15],
        damping=database.damping[:15],
        excitation=database.excitation[:15],
    )
    assert "its memory misses what lies beyond" in sentences(short)


def test_a_body_that_displaces_nothing_is_refused(database):
    empty = replace(database, bodies=(replace(database.bodies[0], volume=0.0),))
    with pytest.raises(DatabaseError, match="displaces 0 m3; the file lacks hydrostatics"):
        check_database(empty)


def test_all_errors_come_at_once(database):
    bad = replace(
        database,
        bodies=(replace(database.bodies[0], volume=-1.0),),
        excitation=database.excitation.conj(),
    )
    with pytest.raises(DatabaseError) as caught:
        check_database(bad)
    assert len(str(caught.value).split("\n")) == 2


def test_a_mass_that_no_mooring_explains_is_doubted(database):
    # a box of 500 m3 in water of 1000 kg/m3
    assert list(check_weight(database, {"buoy": 4e5})) == []
    assert list(check_weight(database, {})) == []
    for mass in (500.0, 5e8):
        (found,) = check_weight(database, {"buoy": mass})
        assert found.severity == "warning"
        assert "displaces 5e+05 kg of water" in found.sentence
