import pytest

from cosim.case.source import load_yaml, read_source
from cosim.errors import CaseError


def test_numbers_of_yaml_1_2_are_numbers():
    # pitfalls of YAML 1.1: 1e-3 was a string, 012 was ten, 'yes' was true
    data = load_yaml("{a: 1e-3, b: 012, c: yes, d: .inf, e: 1_000}").data
    assert data == {"a": 0.001, "b": 12, "c": "yes", "d": float("inf"), "e": 1000}
    assert {type(value) for value in data.values()} == {float, int, str}


def test_every_entry_knows_its_line():
    lines = load_yaml("a:\n  b: 1\n  c: [1,\n      2]\nd: {e: 5,\n    f: 6}\n").lines
    assert lines[("a",)] == 1
    assert lines[("a", "c")] == 3
    assert lines[("a", "c", 1)] == 4
    assert lines[("d", "f")] == 6


def test_merged_keys_have_the_line_of_their_mapping():
    source = load_yaml("base: &base {x: 1}\nmore:\n  <<: *base\n  y: 2\n")
    assert source.data["more"] == {"x": 1, "y": 2}
    assert source.lines[("more", "x")] in (2, 3)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "key 'a' stands twice"),
        ("a:\n\t- 1\n", 2, "a tab cannot indent YAML"),
        ("a: [1,\nb: 2", 2, "not YAML"),
        ("a:\n  b: 1\nc:\n   d: 1\n  e: 2\n", 5, "wrong indentation"),
        ("a:\n  b:1\n  c: 2\n", 3, "a ':' without a space"),
        ("a: *nowhere", 1, "undefined alias"),
        ("- 1\n- 2\n", 1, "starts with 'case: 1'"),
        ("", 1, "starts with 'case: 1'"),
        ("just text", 1, "starts with 'case: 1'"),
    ],
)
def test_bad_yaml_is_one_sentence_with_its_line(write, text, line, reason):
    path = write(text)
    with pytest.raises(CaseError) as caught:
        read_source(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_control_characters_are_refused(write):
    with pytest.raises(CaseError, match="not YAML"):
        read_source(write("a: \x01"))


def test_a_folder_means_its_case_file(write):
    path = write("case: 1")
    assert read_source(path.parent).path == path


def test_missing_and_binary_files_are_named(tmp_path):
    with pytest.raises(CaseError, match="there is no case file"):
        read_source(tmp_path / "none.yaml")
    (tmp_path / "image.yaml").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(CaseError, match="is not a text file"):
        read_source(tmp_path / "image.yaml")
