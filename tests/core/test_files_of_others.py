"""TOML files and files of arrays from elsewhere are refused with a sentence, before they cost time or memory."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.arena import experiment
from kibitz.core import array_files, registry, toml_files
from kibitz.core.array_files import read_arrays, write_arrays
from kibitz.core.network import read_network
from kibitz.core.weights import Weights, load_weights
from kibitz.errors import KibitzError
from kibitz.games.connect4 import openings
from kibitz.games.hanabi.agents.network_inputs import SHAPE
from kibitz.games.hanabi.game import HANABI
from kibitz.games.kriegspiel import tablebase
from kibitz.search import book

TOML = {
    "20,000 lists": b"rules = " + b"[" * 20_000 + b"]" * 20_000,
    "100 lists": b"rules = " + b"[" * 100 + b"]" * 100,
    "20,000 tables": b"a = " + b"{ a = " * 20_000 + b"1" + b"}" * 20_000,
    "a key of 5,000 parts": b".".join([b"a"] * 5_000) + b" = 1",  # to read it takes time with the square of that
    "an integer of 10,000 digits": b"a = " + b"9" * 10_000,
    "no text": b"\xff\xfe",
    "a date that is none": b"a = 2024-02-31",
}
READERS: dict[str, Callable[[Path], Any]] = {
    "agent": lambda path: registry.agent(HANABI, str(path)),
    "weights": lambda path: load_weights(path, ("a",)),
    "experiment": lambda path: experiment.read(str(path)),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("content", TOML)
def test_any_toml_file_is_read_or_refused_with_a_sentence(tmp_path: Path, reader: str, content: str) -> None:
    path = tmp_path / "file.toml"
    path.write_bytes(TOML[content])
    with pytest.raises(KibitzError):
        READERS[reader](path)


def test_a_huge_toml_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(KibitzError, match="larger than 4 MB"):
        toml_files.read_toml(path)


BOMBS: dict[str, Callable[[Path], Any]] = {
    "weights": lambda path: Weights(np.zeros(1), ("a",)).from_file(path),
    "network": lambda path: read_network(path, SHAPE),
    "book": book.read_book,
    "book of Connect 4": openings.load_book,
    "endings": tablebase.load_tablebase,
}


@pytest.fixture(scope="module")
def bomb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small file that unpacks to 400 MB."""
    path = tmp_path_factory.mktemp("bomb") / "file.npz"
    block = bytes(1 << 20)
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("weights.npy", "w") as member,
    ):
        for _ in range(400):
            member.write(block)
    return path


@pytest.mark.parametrize("reader", BOMBS)
def test_a_file_that_unpacks_to_too_much_is_refused_unread(
    bomb: Path, reader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("it is unpacked"))
    with pytest.raises(KibitzError, match=r"unpacks to 419,430,400 bytes; [\d,]+ is the most"):
        BOMBS[reader](bomb)


def packed(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return path


def header(shape: tuple[int, ...], content: bytes = b"") -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": shape})
    return file.getvalue() + content


@pytest.mark.parametrize("shape", [(1 << 50,), (1 << 40, 1 << 40), (-1, 5)])
def test_an_array_that_declares_more_than_there_is_takes_no_memory(tmp_path: Path, shape: tuple[int, ...]) -> None:
    path = packed(tmp_path / "file.npz", weights=header(shape, b"12345678"))
    with pytest.raises(KibitzError, match=r"declares .* bytes and has"):
        read_arrays(path, "")


def test_objects_are_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "file.npz"
    np.savez(path, weights=np.array([{}], object))
    with pytest.raises(KibitzError, match="is damaged"):
        read_arrays(path, "Delete it.")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut", b"\x93NUMPY\x01\x00"])
def test_what_is_no_file_of_arrays_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.npz"
    path.write_bytes(content)
    for reader in BOMBS.values():
        with pytest.raises(KibitzError):
            reader(path)


def test_arrays_of_every_kind_are_read_as_they_were_written(tmp_path: Path) -> None:
    arrays = {
        "a": np.arange(6.0).reshape(2, 3),
        "b": np.array("text"),
        "c": np.zeros((0, 4), np.int8),
        "d": np.array(True),
    }
    write_arrays(tmp_path / "file.npz", "", small=True, **arrays)
    found = array_files.arrays_in(tmp_path / "file.npz")
    assert {name: (each.dtype, each.tolist()) for name, each in found.items()} == {
        name: (each.dtype, each.tolist()) for name, each in arrays.items()
    }
