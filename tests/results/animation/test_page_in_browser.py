"""The interactive page in a real browser, opened as a file, without a network."""

import io

import numpy as np
import pytest
from PIL import Image
from scipy.spatial.transform import Rotation

from cosim.results.animation.page import write_page
from cosim.results.animation.three import REVISION
from cosim.results.water import waves_of

SIZE = {"width": 900, "height": 640}


@pytest.fixture
def opened(browser, tmp_path):
    """Open the page of a run; what it says and asks for is kept."""
    pages = []

    def open_page(dataset, fragment=""):
        file = tmp_path / "run.html"
        write_page(dataset, file)
        page = browser.new_page(viewport=SIZE)
        pages.append(page)
        page.messages, page.asked = [], []
        page.on("console", lambda message: page.messages.append(message.text))
        page.on("pageerror", lambda error: page.messages.append(str(error)))
        page.on("request", lambda request: page.asked.append(request.url))
        page.goto(file.as_uri() + fragment)
        page.wait_for_function("Cosim.player?.stage.drawn > 0")
        return page

    yield open_page
    for page in pages:
        assert page.messages == []
        others = [url for url in page.asked if not url.startswith(("file:", "data:"))]
        assert others == []
        page.close()


def pixels(page):
    # the canvas alone, at the next frame that is drawn
    picture = Image.open(io.BytesIO(page.screenshot()))
    return np.asarray(picture.convert("RGB"), dtype=float)[60:480, 250:650]


def test_bodies_lines_and_water_are_drawn(opened, space_run):
    page = opened(space_run)
    assert page.title() == "Two bodies <in waves>"
    assert page.locator("h1").inner_text() == "Two bodies <in waves>"
    assert page.locator("#trouble").is_hidden()
    # two bodies, the water, lines
    kinds = page.evaluate("Cosim.player.world.scene.children.map((child) => child.name)")
    assert {"spar", "arm", "water", "lines/line1"} <= set(kinds)
    with_water = pixels(page)
    assert len(np.unique(with_water.reshape(-1, 3), axis=0)) > 200
    page.get_by_role("button", name="water", exact=True).click()
    page.wait_for_timeout(200)
    assert np.abs(pixels(page) - with_water).mean() > 2.0


def test_three_js_is_the_build_that_the_page_is_written_for(opened, planar_run):
    page = opened(planar_run)
    assert page.evaluate("THREE.REVISION") == REVISION
    # nothing of the viewer that it was taken from
    assert page.evaluate("typeof THREE.TrackballControls") == "undefined"


def test_colours_are_those_of_the_page(opened, planar_run):
    page = opened(planar_run)
    page.get_by_role("button", name="centres", exact=True).click()
    page.evaluate("Cosim.player.world.springs.forEach((line) => line.paint('#c05a3e'))")
    page.wait_for_timeout(200)
    drawn = pixels(page).reshape(-1, 3)
    # half of a wide line is inside its edges
    assert (np.abs(drawn - [0xC0, 0x5A, 0x3E]).max(axis=1) <= 1).sum() > 20


def test_hiding_the_bodies_changes_the_picture(opened, planar_run):
    page = opened(planar_run)
    before = pixels(page)
    page.evaluate("Cosim.player.world.groups.forEach((group) => { group.visible = false; })")
    page.wait_for_timeout(200)
    assert np.abs(pixels(page) - before).max() > 50.0


def test_scrubbing_moves_the_bodies_to_where_they_were(opened, space_run):
    page = opened(space_run)
    before = pixels(page)
    t = float(space_run.time[31])
    page.evaluate(
        """(t) => {
            const scrub = document.getElementById("scrub");
            scrub.value = t;
            scrub.dispatchEvent(new Event("input"));
        }""",
        t,
    )
    page.wait_for_timeout(200)
    assert np.abs(pixels(page) - before).max() > 50.0
    assert page.locator("#clock").inner_text() == f"t = {t:.2f} s"
    place = page.evaluate("Cosim.player.world.groups.map((group) => group.position.toArray())")
    np.testing.assert_allclose(place, space_run["position"][31], atol=1e-4)
    turn = page.evaluate("Cosim.player.world.groups.map((group) => group.quaternion.toArray())")
    expected = Rotation.from_euler("xyz", space_run["attitude_deg"].values[31], degrees=True)
    difference = Rotation.from_quat(turn) * expected.inv()
    assert difference.magnitude().max() < 1e-4
    nodes = page.evaluate("Array.from(Cosim.player.run.lines[0].nodes)")
    # the line moves evenly, one unit every output instant of 0.01 s
    np.testing.assert_allclose(nodes, 31.0, atol=0.02)


def test_the_water_is_that_of_the_sea_state(opened, space_run):
    page = opened(space_run, "#t=0.3")
    x, y = np.array([0.0, 12.0, -30.0]), np.array([0.0, 5.0, 20.0])
    expected = waves_of(space_run).at(0.3).elevation(x, y)
    found = page.evaluate(
        "([x, y]) => x.map((_, i) => Cosim.player.world.water.elevation(x[i], y[i]))",
        [x.tolist(), y.tolist()],
    )
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_playing_goes_on_in_time_and_pauses(opened, planar_run):
    page = opened(planar_run)
    page.locator("#play").click()
    page.wait_for_function("Cosim.player.time > 0.2")
    page.locator("#play").click()
    stopped = page.evaluate("Cosim.player.time")
    page.wait_for_timeout(200)
    assert page.evaluate("Cosim.player.time") == stopped


def test_the_graph_goes_to_the_time_that_is_pressed(opened, planar_run):
    page = opened(planar_run)
    box = page.locator("#chart").bounding_box()
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.7 * box["height"])
    assert page.evaluate("Cosim.player.time") == pytest.approx(1.5, abs=0.02)
    assert page.locator("#values").inner_text().split() == ["hinge.angle", "85.94", "°"]


@pytest.fixture
def camera(opened, space_run):
    """A page with what its camera does."""
    page = opened(space_run)

    def state():
        stage = "Cosim.player.stage"
        both = f"[{stage}.camera.position.toArray(), {stage}.controls.target.toArray()]"
        position, target = np.array(page.evaluate(both))
        return position - target, target

    def drag(*by, button="left"):
        page.mouse.move(450, 300)
        page.mouse.down(button=button)
        page.mouse.move(450 + by[0], 300 + by[1], steps=5)
        page.mouse.up(button=button)
        settle()

    def settle():
        rest = "Object.values(Cosim.player.stage.controls.rest)"
        page.wait_for_function(f"{rest}.every((part) => Math.abs(part) < 1e-4)")

    page.state, page.drag, page.settle = state, drag, settle
    return page


def test_a_drag_turns_the_camera_about_its_target(camera):
    before, target = camera.state()
    camera.drag(160, 0)
    after, still = camera.state()
    np.testing.assert_allclose(still, target, atol=1e-9 * np.linalg.norm(before))
    assert np.linalg.norm(after) == pytest.approx(np.linalg.norm(before))
    assert after[2] == pytest.approx(before[2])
    # the view is 640 pixels high: a quarter of a turn, and the scene follows the hand
    turned = np.arctan2(after[1], after[0]) - np.arctan2(before[1], before[0])
    assert np.degrees(turned) % 360 == pytest.approx(270, abs=0.1)
    camera.drag(0, 5000)
    above, _ = camera.state()
    assert above[2] == pytest.approx(np.linalg.norm(above))


def test_the_right_button_moves_what_is_seen_with_the_hand(camera):
    before, target = camera.state()
    camera.drag(90, -64, button="right")
    after, _ = camera.state()
    np.testing.assert_allclose(after, before, rtol=1e-6)
    now = camera.evaluate(
        "(place) => new THREE.Vector3(...place).project(Cosim.player.stage.camera).toArray()",
        target.tolist(),
    )
    # of 900 by 640 pixels, two units wide and high
    np.testing.assert_allclose(now[:2], [0.2, 0.2], atol=1e-3)


def test_the_wheel_comes_closer_to_what_is_under_the_pointer(camera):
    before, target = camera.state()
    camera.mouse.move(450, 320)
    camera.mouse.wheel(0, -600)
    camera.settle()
    after, still = camera.state()
    np.testing.assert_allclose(after, np.exp(-0.3) * before, rtol=1e-3)
    np.testing.assert_allclose(still, target, atol=1e-6 * np.linalg.norm(before))
    camera.mouse.move(450 + 100, 320)
    camera.mouse.wheel(0, -600)
    camera.settle()
    _, moved = camera.state()
    right = np.cross(-before, [0, 0, 1])
    shift = (moved - target) @ right / np.linalg.norm(right)
    fov = camera.evaluate("Cosim.player.stage.camera.fov")
    pixel = 2 * np.linalg.norm(after) * np.tan(np.radians(fov / 2)) / 640
    assert shift == pytest.approx(100 * pixel * (1 - np.exp(-0.3)), rel=1e-3)


def test_two_fingers_pinch(camera):
    before, _ = camera.state()
    camera.evaluate(
        """() => {
            const view = document.getElementById("view");
            view.setPointerCapture = () => {};  // these pointers are not the browser's own
            const send = (type, pointerId, clientX) =>
                view.dispatchEvent(new PointerEvent(type, { pointerId, clientX, clientY: 320 }));
            send("pointerdown", 7, 400);
            send("pointerdown", 8, 500);
            send("pointermove", 7, 350);
            send("pointermove", 8, 550);
            send("pointerup", 7, 350);
            send("pointerup", 8, 550);
        }"""
    )
    camera.settle()
    after, _ = camera.state()
    np.testing.assert_allclose(after, 0.5 * before, rtol=1e-3)
