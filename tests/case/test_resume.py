"""A resumed run leaves the results of an undisturbed one, bit for bit (issue 4, 5)."""

import json
import logging
import math
import shutil
from pathlib import Path

import h5py
import numpy as np
import pytest

import cosim
from cosim.coupling.capabilities import Plottable, Relaunchable, Shape, Stepper
from cosim.coupling.template import TemplateInterface
from cosim.errors import AdapterError, CaseError, PeerLostError
from cosim.results.checkpoint import checkpoint_file, read_checkpoint, write_checkpoint
from cosim.testing import AttachedMass

CASES = Path(__file__).parents[2] / "cases"
SLIDER = {
    "case": 1,
    "environment": {"gravity": 0.0},
    "bodies": {"a": {"mass": 3.0, "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
    "joints": {"s": {"type": "prismatic", "child": "a", "at": [0, 0, 0], "axis": [1, 0, 0]}},
    "elements": {"k": {"type": "joint", "joint": "s", "stiffness": 30.0}},
    "adapters": {"mass": {"type": "mass", "body": "a", "mass": 1.0, "stiffness": 4.0}},
    "start": {"from": "reference", "set": {"s.position": 0.3}},
    "time": {"end": 2.0, "communication_step": 0.05},
    "output": {"step": 0.05, "checkpoint": 0.4},
}
MASS = {"mass": AttachedMass}


def identical(first, second):
    """All variables, and all attributes but those of clock and end."""
    assert set(first.variables) == set(second.variables)
    for name in set(first.variables) - {"case_text"}:
        one, two = first[name].values, second[name].values
        assert np.array_equal(one, two, equal_nan=one.dtype.kind == "f"), name
        assert first[name].attrs == second[name].attrs
    assert first.attrs["status"] == second.attrs["status"]


def compare(path, tmp_path, *settings, short, whole, **options):
    """run(whole) against run(short) + resume(whole)."""
    settings = [*settings, f"output.checkpoint={short / 3}"]
    whole_case = cosim.read_case(path, [*settings, f"time.end={whole}"])
    expected = cosim.run(whole_case, out=tmp_path / "whole.nc", **options)
    part = cosim.read_case(path, [*settings, f"time.end={short}"])
    cosim.run(part, out=tmp_path / "part.nc", **options)
    assert read_checkpoint(tmp_path / "part.checkpoint").t == pytest.approx(short)
    identical(cosim.resume(tmp_path / "part.nc", end=whole), expected)
    identical(cosim.open_results(tmp_path / "part.nc"), cosim.open_results(tmp_path / "whole.nc"))
    last = [read_checkpoint(tmp_path / f"{name}.checkpoint") for name in ("part", "whole")]
    assert last[0].state == last[1].state


@pytest.mark.parametrize("method", ["RK45", "compiled"])
def test_radiation_by_states(tmp_path, method):
    compare(CASES / "sphere_decay", tmp_path, f"time.method={method}", short=6, whole=12)


def test_radiation_by_convolution(tmp_path):
    settings = ["adapters.hydro.radiation={method: convolution, memory: 20}"]
    compare(CASES / "sphere_decay", tmp_path, *settings, short=3, whole=6)


@pytest.mark.parametrize(
    ("scheme", "order"), [("iterated", 1), ("explicit", 2), ("solver-call", 1)]
)
def test_mooring_lines_in_waves(tmp_path, scheme, order):
    settings = [f"time.scheme={scheme}", f"time.order={order}", "environment.waves.ramp=5"]
    compare(CASES / "oc3_spar", tmp_path, *settings, short=10, whole=20)


def test_symbolic_equations(tmp_path):
    settings = ["output.step=0.05"]
    compare(
        CASES / "double_pendulum", tmp_path, *settings, short=2, whole=4, formulation="symbolic"
    )


@pytest.fixture
def slider():
    return cosim.Case.from_dict(SLIDER)


@pytest.fixture
def finished(slider, tmp_path):
    """A run to 2 s, and the longer one that it shall become."""
    cosim.run(slider, out=tmp_path / "run.nc", types=MASS)
    longer = cosim.Case.from_dict({**SLIDER, "time": {**SLIDER["time"], "end": 3.33}})
    return tmp_path / "run.nc", cosim.run(longer, types=MASS)


def test_a_case_made_in_python(finished):
    path, expected = finished
    identical(cosim.resume(path, end=3.33, types=MASS), expected)


def test_the_results_go_to_another_file(finished, tmp_path):
    path, expected = finished
    before = path.read_bytes()
    out = tmp_path / "there" / "longer.nc"
    identical(cosim.resume(path, end=3.33, out=out, types=MASS), expected)
    assert path.read_bytes() == before
    identical(cosim.resume(out, types=MASS), expected)
    assert read_checkpoint(checkpoint_file(out)).t == pytest.approx(3.2)


def test_a_complete_run_is_left_alone(finished):
    path, _ = finished
    before = path.read_bytes()
    assert cosim.resume(path, types=MASS).attrs["status"] == "completed"
    assert path.read_bytes() == before


def test_an_end_before_the_checkpoint_is_refused(finished):
    path, _ = finished
    with pytest.raises(CaseError, match="was saved at t = 2 s, after the end at 1 s"):
        cosim.resume(path, end=1.0, types=MASS)


@pytest.mark.parametrize("end", [math.nan, math.inf, -math.inf])
def test_an_end_that_never_comes_is_refused(slider, finished, end):
    path, _ = finished
    for case in (None, slider):
        with pytest.raises(CaseError, match=f"cannot go on to t = {end} s"):
            cosim.resume(path, end=end, case=case, types=MASS)


def test_an_end_between_checkpoint_and_next_output(finished):
    path, _ = finished
    before = cosim.open_results(path)
    after = cosim.resume(path, end=2.03, types=MASS)
    identical(after, before)
    assert after.attrs["status"] == "completed"


def test_an_end_at_the_checkpoint_is_noted(finished):
    """What ends there without another instant can be made longer again."""
    path, expected = finished
    cosim.resume(path, end=3.33, types=MASS)
    saved = read_checkpoint(checkpoint_file(path)).t
    shorter = cosim.resume(path, end=saved, types=MASS)
    assert json.loads(shorter.attrs["settings"])["end"] == saved
    assert shorter.sizes["time"] < expected.sizes["time"]
    identical(cosim.resume(path, end=3.33, types=MASS), expected)


def test_one_file_by_two_names(finished, monkeypatch):
    path, expected = finished
    monkeypatch.chdir(path.parent)
    assert cosim.resume(path, out="run.nc", end=2.0, types=MASS).sizes["time"] == 41
    identical(cosim.resume("run.nc", out=path, end=3.33, types=MASS), expected)


@pytest.mark.parametrize("settings", ["text", "[1]"])
def test_results_that_another_program_wrote_again(finished, settings):
    path, _ = finished
    with h5py.File(path, "r+") as file:
        file.attrs.update({"run": np.bytes_(b"other"), "settings": settings})
    for end in (None, 3.0):
        with pytest.raises(CaseError, match="is of another run than the checkpoint beside it"):
            cosim.resume(path, end=end, types=MASS)


def test_names_that_results_cannot_have(slider, finished, tmp_path, monkeypatch):
    path, _ = finished
    monkeypatch.chdir(tmp_path)
    for folder in (".", tmp_path):
        with pytest.raises(CaseError, match="is a folder; name a file for the results"):
            cosim.resume(folder)
        with pytest.raises(CaseError, match="is a folder; name a file for the results"):
            cosim.resume(path, out=folder, end=3.0, types=MASS)
    with pytest.raises(CaseError, match="checkpoint' is where the checkpoint of the run goes"):
        cosim.run(slider, out="a.checkpoint", types=MASS)


@pytest.fixture
def in_files(tmp_path):
    """The OC3 case and its files in a folder of its own, run for a second."""
    folder = tmp_path / "spar"
    folder.mkdir()
    for name in ("case.yaml", "mooring.txt", "hydrodynamics.nc"):
        shutil.copy(CASES / "oc3_spar" / name, folder)
    return folder


def test_from_another_folder_with_relative_paths(in_files, tmp_path, monkeypatch):
    """Pitfall I8: what is relative to the case stays so wherever the run goes on."""
    monkeypatch.chdir(in_files.parent)
    settings = ["time.end=1", "output.checkpoint=0.5"]
    cosim.run(cosim.read_case("spar/case.yaml", settings), out="results/spar.nc")
    expected = cosim.run(cosim.read_case("spar/case.yaml", [*settings, "time.end=1.5"]))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    identical(cosim.resume("../results/spar.nc", end=1.5), expected)


def test_changed_inputs_are_named(in_files, caplog):
    settings = ["time.end=1", "output.checkpoint=0.5"]
    out = in_files / "spar.nc"
    cosim.run(cosim.read_case(in_files, settings), out=out)
    before = out.read_bytes()
    mooring = in_files / "mooring.txt"
    text = mooring.read_text()
    mooring.write_text(text.replace("902.2", "902.3", 1))
    assert mooring.read_text() != text
    with pytest.raises(CaseError, match="adapter 'lines': 'input' has changed since the run was"):
        cosim.resume(out, end=2.0)
    assert out.read_bytes() == before
    mooring.write_text(text)
    case = in_files / "case.yaml"
    case.write_text(case.read_text().replace("hs: 6.0", "hs: 7.0"))
    cosim.resume(out, end=1.5)
    assert "has changed since the run began, which goes on with the case as it was" in caplog.text


WAVES = {"type": "elevation", "file": "eta.csv"}


def test_a_changed_wave_record_is_noticed(tmp_path):
    t = np.arange(0.0, 60.0, 0.5)
    record = tmp_path / "eta.csv"
    np.savetxt(record, np.column_stack([t, np.sin(t)]), delimiter=",")
    environment = {"gravity": 9.81, "water_depth": 50, "waves": WAVES}
    data = {**SLIDER, "environment": environment, "adapters": {}}
    cosim.run(cosim.Case.from_dict(data, folder=tmp_path), out=tmp_path / "run.nc")
    cosim.resume(tmp_path / "run.nc", end=2.5)
    np.savetxt(record, np.column_stack([t, np.cos(t)]), delimiter=",")
    with pytest.raises(CaseError, match="the waves: 'components' has changed"):
        cosim.resume(tmp_path / "run.nc", end=3.0)


def test_other_versions_are_told(finished, caplog):
    path, _ = finished
    file = checkpoint_file(path)
    found = read_checkpoint(file)
    versions = {**found.versions, "numpy": "0.1"}
    write_checkpoint(file, type(found)(**{**vars(found), "versions": versions}))
    cosim.resume(path, end=2.5, types=MASS)
    assert "the run was saved with numpy 0.1 (now " in caplog.text


def test_a_case_without_text_is_asked_for(tmp_path):
    case = cosim.Case(
        bodies={"a": cosim.Body(mass=1, cog=(0, 0, -1), inertia=(1, 1, 1))},
        joints={"h": cosim.Revolute(child="a", at=(0, 0, 0), axis=(0, 1, 0))},
        start=cosim.Start(from_="reference", set={"h.angle_deg": 30}),
        time=cosim.TimeSettings(end=2),
        output=cosim.Output(checkpoint=0.5),
    )
    path = tmp_path / "run.nc"
    cosim.run(case, out=path)
    with pytest.raises(CaseError, match="was made in Python; give it as 'case'"):
        cosim.resume(path, end=3)
    longer = case.model_copy(update={"time": cosim.TimeSettings(end=3)})
    identical(cosim.resume(path, end=3, case=case), cosim.run(longer))
    other = case.model_copy(update={"title": "another"})
    with pytest.raises(CaseError, match="the case given is not the one of the run"):
        cosim.resume(path, end=4, case=other)


def test_a_case_changed_in_python_is_asked_for(tmp_path):
    read = cosim.read_case(CASES / "double_pendulum", ["time.end=1", "output.checkpoint=0.5"])
    changed = read.model_copy(update={"output": read.output.model_copy(update={"step": 0.05})})
    cosim.run(changed, out=tmp_path / "run.nc")
    with pytest.raises(CaseError, match="was changed in Python after it was read"):
        cosim.resume(tmp_path / "run.nc", end=2)
    assert cosim.resume(tmp_path / "run.nc", end=2, case=changed).sizes["time"] == 41


class Shown(AttachedMass, Plottable):
    """A mass that can be drawn."""

    def shapes(self):
        return [Shape("mass", "points", np.array([[self._shown[0], 0.0, 0.0]]))]


def test_shapes_keep_their_interval(tmp_path):
    """Its default depends on the end, which may be put off: it stays that of the first run."""
    data = {**SLIDER, "output": {"step": 0.005, "checkpoint": 0.5}}
    data["time"] = {"communication_step": 0.05, "end": 24.0}
    path, types = tmp_path / "run.nc", {"mass": Shown}
    cosim.run(cosim.Case.from_dict(data), out=path, types=types)
    data["time"] = {"communication_step": 0.05, "end": 30.0}
    expected = cosim.run(cosim.Case.from_dict(data), types=types)
    found = cosim.resume(path, end=30.0, types=types)
    steps = [float(d.shape_time[1] - d.shape_time[0]) for d in (expected, found)]
    assert steps == pytest.approx([0.015, 0.01])
    assert np.ptp(np.diff(found.shape_time)) < 1e-9
    shapes = ["shape_time", "shape/mass/mass"]
    identical(found.drop_vars(shapes), expected.drop_vars(shapes))


def test_the_results_of_another_run_are_noticed(slider, finished):
    path, _ = finished
    checkpoint = checkpoint_file(path).read_bytes()
    cosim.run(slider, out=path, types=MASS)
    checkpoint_file(path).write_bytes(checkpoint)
    with pytest.raises(CaseError, match="is of another run than the checkpoint beside it"):
        cosim.resume(path, end=3, types=MASS)


def test_damaged_and_missing_checkpoints(finished):
    path, _ = finished
    file = checkpoint_file(path)
    with pytest.raises(CaseError, match="name the result file that"):
        cosim.resume(file)
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(CaseError, match="is damaged or cut off"):
        cosim.resume(path, end=3)
    file.unlink()
    with pytest.raises(CaseError, match="there is no checkpoint"):
        cosim.resume(path, end=3)


class Deaf(TemplateInterface, Stepper):
    """Steps by itself, and nobody can save it."""

    max_step = math.inf
    bodies = ("a",)

    def initialize(self, t0, state): ...

    def advance(self, motion): ...

    def forces(self):
        return np.zeros((1, 6))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"output": {"checkpoint": 0}}, "output.checkpoint is 0"),
        (
            {
                "adapters": {"deaf": {"type": "deaf"}},
                "time": {"end": 2, "scheme": "explicit", "unchecked": True},
            },
            "adapter 'deaf' steps by itself and cannot be saved",
        ),
    ],
)
def test_runs_without_checkpoints_say_why(tmp_path, caplog, changes, reason):
    caplog.set_level(logging.INFO)
    path = tmp_path / "run.nc"
    checkpoint_file(path).write_bytes(b"of an older run")
    types = {**MASS, "deaf": Deaf}
    cosim.run(cosim.Case.from_dict({**SLIDER, **changes}), out=path, types=types)
    assert caplog.text.count(f"no checkpoints: {reason}") == 1
    assert not checkpoint_file(path).exists()
    with pytest.raises(CaseError, match=f"cannot be resumed: {reason}"):
        cosim.resume(path, end=3, types=types)


def test_without_checkpoints_the_steps_are_those_of_one_piece(slider):
    """Steps end at checkpoints, so that the two runs differ, and only by what that does."""
    off = {**SLIDER["output"], "checkpoint": 0}
    plain = cosim.run(cosim.Case.from_dict({**SLIDER, "output": off}), types=MASS)
    saved = cosim.run(slider, types=MASS)
    np.testing.assert_array_equal(plain.position, saved.position)  # communication steps anyway


class Fragile(AttachedMass, Relaunchable):
    """A Stepper whose program is lost at given instants, each of them once."""

    on_loss = "restart"
    losses = ()
    lives = 0

    def initialize(self, t0, state):
        type(self).lives += 1
        super().initialize(t0, state)

    def advance(self, motion):
        if self.losses and motion.t1 >= self.losses[0]:
            type(self).losses = self.losses[1:]
            raise PeerLostError("the program was killed", adapter=self.name, t=motion.t1)
        super().advance(motion)


@pytest.fixture
def fragile():
    Fragile.losses, Fragile.lives, Fragile.on_loss = (), 0, "restart"
    return {"mass": Fragile}


@pytest.mark.parametrize("losses", [(0.7,), (0.2, 0.9, 0.95), (1.999,)])
def test_a_lost_program_starts_again(slider, fragile, tmp_path, caplog, losses):
    expected = cosim.run(slider, types=fragile)
    Fragile.losses, Fragile.lives = losses, 0
    path = tmp_path / "run.nc"
    found = cosim.run(slider, out=path, types=fragile)
    assert Fragile.lives == len(losses) + 1
    identical(found, expected)
    identical(cosim.open_results(path), expected)
    told = [record.message for record in caplog.records if record.levelname == "WARNING"]
    assert len(told) == len(losses)
    assert "the program was killed; everything starts again and goes on from t = " in told[0]
    assert told[0].endswith("(restart 1 of 3)")


def test_a_program_that_is_lost_for_ever_ends_the_run(slider, fragile, tmp_path):
    Fragile.losses = (0.5, 0.5, 0.5, 0.5)
    path = tmp_path / "run.nc"
    with pytest.raises(PeerLostError):
        cosim.run(slider, out=path, types=fragile)
    assert Fragile.lives == 4
    results = cosim.open_results(path)
    assert "the program was killed" in results.attrs["status"]
    identical(cosim.resume(path, types=fragile), cosim.run(slider, types=fragile))


class Broken(AttachedMass):
    """A Stepper that cannot start."""

    def initialize(self, t0, state):
        raise AdapterError("its licence is gone", adapter=self.name, t=t0)


def test_a_run_that_cannot_go_on_leaves_the_results_as_they_are(slider, fragile, tmp_path):
    """They reach further than the checkpoint."""
    Fragile.losses, Fragile.on_loss = (1.1,), "abort"
    path = tmp_path / "run.nc"
    with pytest.raises(PeerLostError):
        cosim.run(slider, out=path, types=fragile)
    before = path.read_bytes()
    saved = read_checkpoint(checkpoint_file(path)).rows["time"]
    assert cosim.open_results(path).sizes["time"] > saved
    with pytest.raises(AdapterError, match="its licence is gone"):
        cosim.resume(path, types={"mass": Broken})
    assert path.read_bytes() == before
    identical(cosim.resume(path, types=fragile), cosim.run(slider, types=fragile))


def test_a_run_that_cannot_go_on_elsewhere_leaves_that_place_as_it_is(slider, tmp_path):
    paths = [tmp_path / "run.nc", tmp_path / "there" / "run.nc"]
    for path in paths:
        cosim.run(slider, out=path, types=MASS)
    before = {file: file.read_bytes() for file in paths[1].parent.iterdir()}
    with pytest.raises(AdapterError, match="its licence is gone"):
        cosim.resume(paths[0], end=3.0, out=paths[1], types={"mass": Broken})
    assert {file: file.read_bytes() for file in paths[1].parent.iterdir()} == before


def test_a_program_that_may_not_start_again_ends_the_run(slider, fragile):
    Fragile.losses, Fragile.on_loss = (0.5,), "abort"
    with pytest.raises(AdapterError, match="the program was killed"):
        cosim.run(slider, types=fragile)
    assert Fragile.lives == 1


def test_a_restart_needs_checkpoints(fragile):
    data = {**SLIDER, "output": {"checkpoint": 0}}
    with pytest.raises(CaseError, match="adapter 'mass': a restart after a loss needs checkpoint"):
        cosim.run(cosim.Case.from_dict(data), types=fragile)


def test_a_full_disk_ends_checkpoints_not_the_run(slider, tmp_path, monkeypatch, caplog):
    def full(path, checkpoint):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("cosim.case.saving.write_checkpoint", full)
    results = cosim.run(slider, out=tmp_path / "run.nc", types=MASS)
    assert results.attrs["status"] == "completed"
    assert "the checkpoint at t = 0 s cannot be written to" in caplog.text
    assert "No space left on device; the run goes on" in caplog.text
