"""Every record in the pages of an SQLite file, read without its b-trees (https://www.sqlite.org/fileformat2.html).

A damaged root or interior page hides everything below it from SQLite, although the leaf pages are intact. Here each
page is read for itself; what cannot be a record yields nothing and raises nothing.
"""

import mmap
import struct
from collections.abc import Iterator
from pathlib import Path

TABLE_LEAF, INDEX_LEAF, INDEX_INTERIOR = 0x0D, 0x0A, 0x02
MAGIC = b"SQLite format 3\0"
FRACTIONS = bytes((64, 32, 32))  # of a page that a payload may take: these, in every SQLite file
USUAL_SIZE = 4096  # of a page, since SQLite 3.12
LONGEST = 1 << 24  # bytes of a record; no row of ours is near it, and garbage may claim anything
WAL_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}  # and the byte order of its checksums
WAL_HEADER, FRAME_HEADER = 32, 24
INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # bytes by serial type

SqliteRecord = tuple[object, ...]
Bytes = bytes | mmap.mmap


class PageScan:
    """The newest committed version of each page of a database, and the records on it."""

    def __init__(self, path: Path) -> None:
        self.content, self.wal = mapped(path), mapped(path.with_name(path.name + "-wal"))
        self.frames, pages = committed_frames(self.wal)
        header = self.content[:100]
        self.size = wal_page_size(self.wal) if self.frames else page_size(header, len(self.content))
        self.count = pages or -(-len(self.content) // self.size)
        first = self.page(1)
        known = first[:16] == MAGIC and first[21:24] == FRACTIONS
        self.usable = self.size - (first[20] if known and first[20] <= self.size - 480 else 0)
        self.free = self.freelist(first) if known else set()

    @property
    def torn(self) -> bool:
        """Whether the file is empty or ends within a page: SQLite would delete its write-ahead log, or read zeros."""
        return not self.content or len(self.content) % self.size != 0

    def page(self, number: int) -> bytes:
        """A page, shorter than the others if the file ends within it, empty if there is none."""
        if number in self.frames:
            return self.wal[self.frames[number] : self.frames[number] + self.size]
        return self.content[(number - 1) * self.size : number * self.size] if number > 0 else b""

    def freelist(self, first: bytes) -> set[int]:
        """The pages that hold only what was deleted; none of them, if the list contradicts itself."""
        trunk, expected = struct.unpack_from(">II", first, 32)
        found: set[int] = set()
        while trunk and trunk not in found and len(found) < expected:
            page = self.page(trunk)
            if len(page) < self.size:
                return set()
            following, leaves = struct.unpack_from(">II", page)
            if leaves > self.usable // 4 - 2:
                return set()
            found |= {trunk, *struct.unpack_from(f">{leaves}I", page, 8)}
            trunk = following
        sound = trunk == 0 and len(found) == expected and all(2 <= number <= self.count for number in found)
        return found if sound else set()

    def runs(self) -> Iterator[tuple[int, list[SqliteRecord]]]:
        """By page, pages of the write-ahead log first: the records that follow each other in the order of their keys.

        An empty tuple stands where a record could not be read.
        """
        for number in (*sorted(self.frames), *(n for n in range(1, self.count + 1) if n not in self.frames)):
            if number > self.count or number in self.free:
                continue
            page = self.page(number)
            kind, records = self.records(page, 100 if number == 1 else 0)
            if kind == INDEX_INTERIOR:  # between two records of an interior page there is a whole subtree
                yield from ((number, [record]) for record in records)
            else:
                yield number, records

    def records(self, page: bytes, start: int) -> tuple[int, list[SqliteRecord]]:
        """The kind of a page, and the records its cells hold."""
        if len(page) < start + 12 or page[start] not in (TABLE_LEAF, INDEX_LEAF, INDEX_INTERIOR):
            return 0, []
        kind = page[start]
        pointers = start + (12 if kind == INDEX_INTERIOR else 8)
        [cells] = struct.unpack_from(">H", page, start + 3)
        if pointers + 2 * cells > len(page):
            return 0, []
        return kind, [self.cell(page, kind, at) for at in struct.unpack_from(f">{cells}H", page, pointers)]

    def cell(self, page: bytes, kind: int, at: int) -> SqliteRecord:
        try:
            size, at = varint(page, at + 4 if kind == INDEX_INTERIOR else at)
            if kind == TABLE_LEAF:
                _rowid, at = varint(page, at)
            return record(self.payload(page, at, size, kind == TABLE_LEAF))
        except (IndexError, ValueError, struct.error):
            return ()

    def payload(self, page: bytes, at: int, size: int, in_table: bool) -> bytes:
        """The bytes of a record: those on the page, and those on its overflow pages."""
        least = (self.usable - 12) * 32 // 255 - 23
        most = self.usable - 35 if in_table else (self.usable - 12) * 64 // 255 - 23
        local = size
        if size > most:
            local = least + (size - least) % (self.usable - 4)
            if local > most:
                local = least
        if size > LONGEST or at + local > min(len(page), self.usable):
            raise ValueError("longer than a record can be")
        found = page[at : at + local]
        if local == size:
            return found
        [following] = struct.unpack_from(">I", page, at + local)
        parts, missing, seen = [found], size - local, set[int]()
        while missing > 0:
            page = self.page(following)
            if following in seen or following in self.free or len(page) < 4 + min(missing, self.usable - 4):
                raise ValueError("a broken overflow chain")
            seen.add(following)
            parts.append(page[4 : 4 + min(missing, self.usable - 4)])
            missing -= len(parts[-1])
            [following] = struct.unpack_from(">I", page)
        if following != 0:  # the last page of a chain names none
            raise ValueError("an overflow chain that is longer than its record")
        return b"".join(parts)


def mapped(path: Path) -> Bytes:
    """The bytes of a file, read when they are asked for; none if there is no such file."""
    if not path.exists() or not path.stat().st_size:
        return b""
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def wal_page_size(wal: Bytes) -> int:
    return int.from_bytes(wal[8:12], "big")


def committed_frames(wal: Bytes) -> tuple[dict[int, int], int]:
    """By page, where its last committed version begins in a write-ahead log; and the pages of the whole database.

    As SQLite reads it: up to the last commit before the first frame of other salts or with a wrong checksum.
    """
    committed: dict[int, int] = {}
    order = WAL_MAGIC.get(int.from_bytes(wal[:4], "big"), "")
    size = wal_page_size(wal)
    sums = checksum(wal[:24], order, (0, 0)) if order and len(wal) >= WAL_HEADER else None
    if sums is None or sums != struct.unpack(">II", wal[24:32]) or not 512 <= size <= 65536 or size & (size - 1):
        return committed, 0
    salts, pages, waiting = wal[16:24], 0, dict[int, int]()
    for at in range(WAL_HEADER, len(wal) - FRAME_HEADER - size + 1, FRAME_HEADER + size):
        number, commit, *_ = struct.unpack(">II", wal[at : at + 8])
        content = at + FRAME_HEADER
        sums = checksum(wal[at : at + 8] + wal[content : content + size], order, sums)
        if wal[at + 8 : at + 16] != salts or sums != struct.unpack(">II", wal[at + 16 : content]):
            break
        waiting[number] = content
        if commit:
            committed, waiting, pages = committed | waiting, {}, commit
    return committed, pages


def checksum(data: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    first, second = sums
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    for one, other in zip(words, words, strict=True):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return first, second


def page_size(header: bytes, length: int) -> int:
    """What the header says, unless it is destroyed or does not fit the length of the file and the usual size does."""
    said = 0
    pages = -1
    if len(header) == 100 and header[:16] == MAGIC:
        [said] = struct.unpack_from(">H", header, 16)
        [pages] = struct.unpack_from(">I", header, 28)
    said = 65536 if said == 1 else said
    if said < 512 or said & (said - 1) or (said * pages != length and USUAL_SIZE * pages == length):
        return USUAL_SIZE
    return said


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where the next one begins."""
    value = 0
    for used in range(8):
        byte = data[at + used]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + used + 1
    return value << 8 | data[at + 8], at + 9


def record(payload: bytes) -> SqliteRecord:
    """The values of a record. Its header and they must fill the payload exactly."""
    end, at = varint(payload, 0)
    if end > len(payload):
        raise ValueError("a header longer than its record")
    types = []
    while at < end:
        type, at = varint(payload, at)
        types.append(type)
    values: list[object] = []
    for type in types:
        found, width = value(payload, at, type)
        values.append(found)
        at += width
    if at != len(payload):
        raise ValueError("values of another length than their record")
    return tuple(values)


def value(payload: bytes, at: int, type: int) -> tuple[object, int]:
    """A value of a serial type, and the bytes it takes."""
    if type in INTEGERS:
        width = INTEGERS[type]
        return int.from_bytes(payload[at : at + width], "big", signed=True), width
    if type == 7:
        return struct.unpack_from(">d", payload, at)[0], 8
    if type in (0, 8, 9):
        return (None if type == 0 else type - 8), 0
    if type < 12:
        raise ValueError("a serial type that SQLite keeps for itself")
    width = (type - 12) // 2
    found = payload[at : at + width]
    return (found.decode() if type % 2 else found), width
