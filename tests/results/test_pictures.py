import numpy as np
import pytest
import xarray as xr

from cosim.errors import CaseError
from cosim.results.drawing import Member, drawing_arrays, drawing_problems, facets
from cosim.results.memory import MemorySink
from cosim.results.picture import scene_figure
from cosim.results.plots import summary_figure
from cosim.results.provenance import provenance
from cosim.results.recorder import Instants, ResultRecorder
from cosim.results.scene import scene_at
from cosim.results.solids import body_solids

DRAWING = {
    "spar": [
        Member(from_=(0, 0, -10), to="deck", diameter=3),
        Member(from_="cog", to=(0, 0, 0), diameter=(2, 1)),
    ]
}


@pytest.fixture(scope="module")
def dataset(layout, probe, samples):
    sink = MemorySink()
    constants = provenance(layout.model.system, title="Two bodies", drawing=DRAWING)
    instants = Instants(0.0, 0.39, 0.01, shape_step=0.05)
    with ResultRecorder(layout, probe, [sink], instants, constants=constants) as recorder:
        for sample in samples:
            recorder.record(sample)
    return sink.dataset()


def test_the_surface_drawn_is_the_one_stored(dataset):
    origin = np.zeros(1)
    for t in (0.0, 0.2, 0.35):
        water = scene_at(dataset, t).water
        stored = dataset["wave_elevation"].sel(time=t, method="nearest")
        np.testing.assert_allclose(water.elevation(origin, origin), stored, atol=1e-12)


def test_the_surface_away_from_the_origin_is_that_of_the_sea_state(dataset, model):
    x, y = np.array([10.0, -30.0]), np.array([5.0, 20.0])
    elevation = scene_at(dataset, 0.35).water.elevation(x, y)
    expected = model.system.environment.sea_state.elevation(0.35, x, y)
    np.testing.assert_allclose(elevation, expected, atol=1e-12)


def test_members_are_cylinders_that_move_with_their_body(dataset, samples):
    scene = scene_at(dataset, 0.35)
    state = samples[35].state
    body = (scene.facets - state.r[0]) @ state.R[0] + [0, 0, -5]
    # first member: axis from (0, 0, -10) to the deck at (1, 0, 5), radius 1.5
    start, along = np.array([0, 0, -10]), np.array([1.0, 0, 15]) / np.sqrt(226)
    first = body[: len(body) // 2].reshape(-1, 3) - start
    radius = np.linalg.norm(np.cross(first, along), axis=1)
    assert radius.max() == pytest.approx(1.5, abs=1e-9)
    s = first @ along
    assert (s.min(), s.max()) == (pytest.approx(0, abs=1e-9), pytest.approx(np.sqrt(226)))


def test_a_cylinder_has_the_area_and_volume_of_one():
    corners = facets(
        np.array([[0, 0, 0], [0, 0, 4.0]]), np.array([2.0, 2.0]), np.zeros(3), np.eye(3)
    ).corners
    a, b = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    area = 0.5 * np.linalg.norm(np.cross(a, b), axis=1).sum()
    # 24 flat sides: the area of a regular 24-gon is 1.1 % below the circle's
    assert area == pytest.approx(2 * np.pi * 4 + 2 * np.pi, rel=0.012)


def test_mistakes_in_drawings_are_found(model):
    wrong = {"spra": [], "spar": [Member(from_="dek", to="cog", diameter=1)]}
    assert list(drawing_problems(model.system, wrong)) == [
        ("spra", "there is no body 'spra'; did you mean 'spar'?"),
        ("spar", "body 'spar' has no point 'dek'; did you mean 'deck'?"),
    ]


def test_a_pattern_draws_several_bodies(model):
    arrays = drawing_arrays(model.system, {"*": [Member(from_="cog", to="cog", diameter=1)]})
    np.testing.assert_array_equal(arrays["member_body"][1], [0, 1])


def test_bodies_without_members_are_sticks_and_points(dataset, samples):
    scene = scene_at(dataset, 0.35)
    np.testing.assert_allclose(scene.points, samples[35].state.r[1:], atol=1e-12)
    assert len(scene.sticks) == 1
    assert len(scene.lines) == 1


def test_figures_are_drawn(dataset, tmp_path):
    summary = summary_figure(dataset)
    titles = [axes.get_title(loc="left") for axes in summary.axes]
    assert titles[0] == "wave elevation at the origin"
    assert {"surge", "sway", "heave", "roll", "pitch", "yaw", "line tensions"} < set(titles)
    assert "hinge.angle" in titles
    for name, figure in (("summary", summary), ("scene", scene_figure(dataset))):
        figure.savefig(tmp_path / f"{name}.png", dpi=40)
        assert (tmp_path / f"{name}.png").stat().st_size > 5000


def test_lines_are_within_the_round_sea_and_show_how_large_bodies_are(dataset):
    bare = dataset.drop_vars([name for name in dataset if str(name).startswith("member_")])
    (name,) = [name for name in bare if str(name).startswith("shape/")]
    line = np.linspace([70.0, 70.0, -50.0], [15.0, 15.0, 0.0], bare.sizes[bare[name].dims[1]])
    space, side = scene_figure(bare.assign({name: bare[name] * 0.0 + line})).axes
    assert 0.5 * np.ptp(space.get_xlim()) > 70.0 * np.sqrt(2.0) - 3.0
    assert side.get_xlim()[1] > 15.0


def test_powers_on_joints_and_tensions_of_springs_are_drawn(dataset):
    time = dataset["time"]
    power = {"units": "W", "point": "joint"}
    added = {
        "element/pto/power": ("time", np.full(time.size, -2e3), power),
        "element/idle/power": ("time", np.zeros(time.size), power),
        "element/yaw/power": ("time", np.ones(time.size), {"units": "W", "point": "hull"}),
        "element/rope/tension": ("time", np.ones(time.size), {"units": "N"}),
    }
    panels = {
        axes.get_title(loc="left"): axes for axes in summary_figure(dataset.assign(added)).axes
    }
    powers = panels["power on joints, negative: absorbed"]
    assert [line.get_label() for line in powers.lines] == ["pto"]
    assert powers.lines[0].get_ydata()[0] == -2.0
    assert powers.get_ylabel() == "[kW]"
    labels = [line.get_label() for line in panels["line tensions"].lines]
    assert labels == ["tension 1", "rope tension"]


def test_results_without_positions_cannot_be_drawn(dataset):
    with pytest.raises(CaseError, match=r"output\.channels"):
        scene_figure(dataset.drop_vars("position"))
    assert len(summary_figure(dataset.drop_vars("position")).axes) >= 2


def test_many_joints_with_long_names_find_room(tmp_path):
    names = [f"leg{i}/a_rather_long_hinge.angle" for i in range(8)]
    time = np.linspace(0, 10, 50)
    angles = np.sin(time[:, None] + np.arange(8))
    dataset = xr.Dataset(
        {"joint_rotation_deg": (("time", "rotation"), angles, {"units": "degree"})},
        coords={"time": time, "rotation": names},
    )
    # a layout without room for its axes is a warning, and warnings are errors here
    summary_figure(dataset).savefig(tmp_path / "summary.png", dpi=40)


def test_what_bodies_look_like_where_nothing_is_said(dataset):
    bare = dataset.drop_vars([name for name in dataset if str(name).startswith("member_")])
    solids = body_solids(bare)
    # the spar has a hinge and a deck, the arm its hinge
    assert [(s.body, s.kind) for s in solids] == [(0, "stick"), (0, "stick"), (1, "stick")]
    np.testing.assert_allclose(solids[0].ends, [[0, 0, 0], [1, 0, 0]])
    unknown = bare.drop_vars([n for n in bare if str(n).startswith(("joint_", "site_"))])
    balls = body_solids(unknown)
    # twice the volume that the mass has in fresh water
    assert balls[0].diameters[0] == pytest.approx((6 / np.pi * 1000 / 500) ** (1 / 3))
    assert {s.kind for s in balls} == {"ball"}
