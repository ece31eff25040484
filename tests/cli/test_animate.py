import pytest
from PIL import Image


@pytest.fixture
def result(invoke, case_file):
    code, _, errors = invoke("run", case_file, "--quiet", "--set", "time.end=1")
    assert code == 0, errors
    return "results/pendulum.nc"


def test_a_page_beside_the_results(invoke, result, tmp_path):
    code, text, errors = invoke("animate", result)
    assert code == 0, errors
    assert text.strip() == "results/pendulum.html"
    page = (tmp_path / "results" / "pendulum.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert '"bodies":["bob"]' in page


def test_a_page_has_no_speed_and_says_so(invoke, result):
    code, _, errors = invoke("animate", result, "--speed", "2")
    assert code == 0
    assert errors.strip() == "--speed and --fps are for films; the page plays at any speed"


def test_a_case_is_no_result(invoke, case_file):
    code, _, errors = invoke("animate", case_file)
    assert code == 2
    assert "pendulum.yaml' is not a result file, as 'cosim run' writes it" in errors


def test_the_ending_names_the_format(invoke, result, tmp_path):
    options = ("--from", "0.2", "--to", "0.6", "--fps", "10", "--speed", "0.5")
    code, text, errors = invoke("animate", result, "--out", "film.gif", *options)
    assert (code, text.strip(), errors) == (0, "film.gif", "")
    with Image.open(tmp_path / "film.gif") as film:
        assert film.n_frames == 9


def test_mp4(invoke, result, tmp_path):
    pytest.importorskip("imageio_ffmpeg", reason="needs the extra 'view'")
    code, _, errors = invoke("animate", result, "--format", "mp4", "--fps", "5")
    assert code == 0, errors
    assert (tmp_path / "results" / "pendulum.mp4").read_bytes()[4:8] == b"ftyp"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--format", "avi"), "there is no format 'avi'; choose html, mp4 or gif"),
        (("--out", "film"), "there is no format ''"),
        (("--from", "7"), "these results go from 0 to 1 s"),
    ],
)
def test_mistakes(invoke, result, options, text):
    code, _, errors = invoke("animate", result, *options)
    assert code == 2
    assert text in errors


def test_channels_on_the_pages_of_a_file(invoke, result, tmp_path):
    code, text, errors = invoke("plot", result, "--all")
    assert code == 0, errors
    assert text.strip() == "results/pendulum_channels.pdf"
    assert (tmp_path / "results" / "pendulum_channels.pdf").read_bytes().startswith(b"%PDF")
    code, _, errors = invoke("plot", result, "--channels", "forse")
    assert code == 2
    assert "did you mean" in errors or "there are" in errors
