"""Objects are found in a stream of bytes, however it is cut."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.client.json_stream import JsonObjectStream, NotAnObjectError

awkward = st.text(st.sampled_from('{}"\\[],: \néß🂡a'), max_size=8) | st.text(max_size=5)
values: Any = st.recursive(
    awkward | st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(awkward, inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(awkward, values, max_size=4)
spaces = st.text(st.sampled_from(" \t\r\n"), max_size=3)


@given(st.lists(st.tuples(objects, st.booleans(), spaces), max_size=5), st.data())
def test_any_split_of_any_objects_gives_the_same_objects(
    said: list[tuple[Any, bool, str]], data: st.DataObject
) -> None:
    texts = [json.dumps(value, ensure_ascii=ascii).encode() for value, ascii, _ in said]
    stream = b"".join(text + space.encode() for text, (_, _, space) in zip(texts, said, strict=True))
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=6).map(sorted))
    reader = JsonObjectStream()
    found = [text for start, end in pairwise([0, *cuts, len(stream)]) for text in reader.feed(stream[start:end])]
    assert found == texts


@given(st.lists(objects, min_size=1, max_size=3))
def test_objects_may_come_byte_by_byte(said: list[Any]) -> None:
    texts = [json.dumps(value).encode() for value in said]
    reader = JsonObjectStream()
    found = [text for byte in b" ".join(texts) for text in reader.feed(bytes([byte]))]
    assert found == texts


@pytest.mark.parametrize("text", [b"hello", b"[1]", b"}", b'"a"', b"GET / HTTP/1.1\r\n", b"\x00", b"\xef\xbb\xbf{}"])
def test_what_cannot_become_an_object_is_refused_at_its_first_byte(text: bytes) -> None:
    with pytest.raises(NotAnObjectError, match=r"begins with \{"):
        list(JsonObjectStream().feed(text[:1]))


def test_the_objects_before_a_wrong_byte_still_count() -> None:
    found = JsonObjectStream().feed(b'{"a":1}{} x')
    assert [next(found), next(found)] == [b'{"a":1}', b"{}"]
    with pytest.raises(NotAnObjectError, match="b'x'"):
        next(found)


def test_an_object_that_goes_on_for_too_long_is_refused_before_it_ends() -> None:
    reader = JsonObjectStream(limit=100)
    assert list(reader.feed(b'{"a":"')) == []
    assert list(reader.feed(b"x" * 94)) == []
    with pytest.raises(NotAnObjectError, match="more than 100 bytes"):
        list(reader.feed(b"x"))


def test_the_limit_is_for_each_object_and_not_for_all() -> None:
    reader = JsonObjectStream(limit=10)
    assert list(reader.feed(b'{"abc":12}' * 50)) == [b'{"abc":12}'] * 50
    with pytest.raises(NotAnObjectError):
        list(reader.feed(b'{"abc":123}'))
