"""The interactive page in a real browser, opened as a file, without a network."""

import io

import numpy as np
import pytest
from PIL import Image
from scipy.spatial.transform import Rotation

from cosim.results.animation.page import write_page
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


def test_rotating_and_the_wheel_move_the_camera(opened, space_run):
    page = opened(space_run)
    camera = "Cosim.player.stage.camera.position.toArray()"
    start = np.array(page.evaluate(camera))
    page.mouse.move(450, 300)
    page.mouse.down()
    page.mouse.move(560, 320, steps=5)
    page.mouse.up()
    page.wait_for_timeout(300)
    turned = np.array(page.evaluate(camera))
    assert np.linalg.norm(turned - start) > 0.1 * np.linalg.norm(start)
    target = "Cosim.player.stage.camera.position.distanceTo(Cosim.player.stage.controls.target)"
    far = page.evaluate(target)
    page.mouse.wheel(0, -600)
    page.wait_for_timeout(300)
    assert page.evaluate(target) < 0.9 * far
