from typing import Annotated, Literal

import pytest
from pydantic import Field, ValidationError

from cosim.model.base import Number, Positive, Strict, Vector3, Vector6
from cosim.model.known_keys import known_keys, known_types
from cosim.model.sentences import as_validation_error, nearest, problems, sentences


class Wheel(Strict):
    type: Literal["wheel"] = "wheel"
    radius: Positive
    wheel: Number = 0.0


class Track(Strict):
    type: Literal["track"] = "track"
    length: Positive
    size: Vector3 | Vector6 = (1.0, 1.0, 1.0)


class Cart(Strict):
    parts: dict[str, Annotated[Wheel | Track, Field(discriminator="type")]]
    steps: list[Number] = Field(default_factory=list)
    pace: Positive | Literal["auto"] = "auto"
    on: bool = True


def complain(data):
    with pytest.raises(ValidationError) as caught:
        Cart.model_validate(data)
    return sentences(caught.value, data, Cart)


def test_tags_of_unions_are_not_in_the_path():
    assert complain({"parts": {"a": {"type": "wheel", "radius": -1}}}) == [
        "parts.a.radius: must be greater than 0 (got -1)"
    ]


def test_a_key_named_like_the_tag_is_kept():
    data = {"parts": {"a": {"type": "wheel", "radius": 1, "wheel": "x"}}}
    assert complain(data) == [
        "parts.a.wheel: 'x' is not a number (write 1.5, 1e3 or '=expression')"
    ]


def test_missing_keys_are_reported_one_by_one():
    assert complain({"parts": {"a": {"type": "track", "lenght": 3}}}) == [
        "parts.a: 'length' is required",
        "parts.a: unknown key 'lenght'; did you mean 'length'?",
    ]


def test_without_a_near_name_all_keys_are_listed():
    assert complain({"parts": {"a": {"type": "wheel", "radius": 1, "q": 3}}}) == [
        "parts.a: unknown key 'q'; known: type, radius, wheel"
    ]


def test_types_are_listed_or_suggested():
    assert complain({"parts": {"a": {"radius": 1}, "b": {"type": "weel"}}}) == [
        "parts.a: 'type' is required: track, wheel",
        "parts.b: unknown type 'weel'; did you mean 'wheel'?",
    ]


def test_members_of_a_plain_union_speak_with_one_voice():
    track = {"type": "track", "length": 1}
    assert complain({"parts": {"a": {**track, "size": [1, 2, 3, 4]}}}) == [
        "parts.a.size: 3 or 6 values are needed, 4 given"
    ]
    assert complain({"parts": {"a": {**track, "size": [1, 2, "x"]}}}) == [
        "parts.a.size.2: 'x' is not a number (write 1.5, 1e3 or '=expression')"
    ]
    assert complain({"parts": {}, "pace": "slow"}) == [
        "pace: 'slow' is not a number (write 1.5, 1e3 or '=expression'), or must be 'auto' "
        "(got 'slow')"
    ]


def test_entries_of_lists_are_numbered():
    assert complain({"parts": {}, "steps": [1, None, 2]}) == [
        "steps.1: must be a number (got None)"
    ]


def test_paths_are_given_apart_for_those_who_know_lines():
    data = {"parts": {"a": {"type": "wheel", "radius": 0}}, "speed": 1}
    with pytest.raises(ValidationError) as caught:
        Cart.model_validate(data)
    assert [path for path, _ in problems(caught.value, data, Cart)] == [
        ("parts", "a", "radius"),
        ("speed",),
    ]


def test_problems_can_be_raised_as_a_validation_error():
    error = as_validation_error("Cart", [(("a", 1), "body 'b': {braces} stay")])
    assert sentences(error) == ["body 'b': {braces} stay"]
    assert [path for path, _ in problems(error)] == [("a", 1)]


def test_keys_and_types_known_at_a_place():
    data = {"parts": {"a": {"type": "track"}}}
    assert known_keys(Cart, data, ()) == ["parts", "steps", "pace", "on"]
    assert known_keys(Cart, data, ("parts", "a")) == ["type", "length", "size"]
    assert known_keys(Cart, data, ("parts",)) == []
    assert known_types(Cart, data, ("parts", "a")) == ["track", "wheel"]


def test_nearest_says_nothing_where_nothing_is_near():
    assert nearest("heave", ["surge", "heav"]) == "; did you mean 'heav'?"
    assert nearest("zzz", ["surge", "heave"]) == ""


def test_nearest_does_not_mind_capitals():
    assert nearest("Hs", ["heading_deg", "hs"]) == "; did you mean 'hs'?"
