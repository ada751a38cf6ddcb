"""Everything random comes from a seed: the same numbers everywhere, cards and dice apart."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.engine import seeds
from tests.tables import EVERY_RULES, PLAYERS, dealt

STREAMS = st.integers(0, 2**63 - 1)
PLACES = st.integers(0, 2**40)
WRAP = 2**64


def splitmix(stream: int, n: int) -> int:
    """Splitmix64 as it is published, in whole numbers: number n of a stream."""
    x = (stream + (n + 1) * 0x9E3779B97F4A7C15) % WRAP
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) % WRAP
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) % WRAP
    return x ^ x >> 31


def siphash(key: bytes, message: bytes) -> int:
    """SipHash-2-4 as it is published, in whole numbers, of a message of any length."""
    first, second = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    a, b = first ^ 0x736F6D6570736575, second ^ 0x646F72616E646F6D
    c, d = first ^ 0x6C7967656E657261, second ^ 0x7465646279746573

    def mixed(rounds: int) -> None:
        nonlocal a, b, c, d
        for _ in range(rounds):
            a = (a + b) % WRAP
            b = turned(b, 13) ^ a
            a = turned(a, 32)
            c = (c + d) % WRAP
            d = turned(d, 16) ^ c
            a = (a + d) % WRAP
            d = turned(d, 21) ^ a
            c = (c + b) % WRAP
            b = turned(b, 17) ^ c
            c = turned(c, 32)

    padded = message + bytes(7 - len(message) % 8) + bytes([len(message) % 256])
    for start in range(0, len(padded), 8):
        block = int.from_bytes(padded[start : start + 8], "little")
        d ^= block
        mixed(2)
        a ^= block
    c ^= 0xFF
    mixed(4)
    return a ^ b ^ c ^ d


def turned(x: int, bits: int) -> int:
    return (x << bits | x >> (64 - bits)) % WRAP


def test_the_numbers_are_those_of_splitmix64() -> None:
    """The first numbers for the seed 1234567 are the ones its test vectors give."""
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [splitmix(1234567, n) for n in range(4)] == published
    assert [seeds.number(1234567, n) for n in range(4)] == [each >> 1 for each in published]


@given(STREAMS, PLACES)
def test_machine_code_and_plain_arithmetic_give_the_same_number(stream: int, n: int) -> None:
    assert seeds.number(stream, n) == splitmix(stream, n) >> 1


def test_the_one_way_numbers_are_those_of_siphash_2_4() -> None:
    """Its authors publish the hashes of the bytes 0, 1, 2, … for messages of every length, with the key 0 to 15."""
    published = {0: "310e0edd47db6f72", 1: "fd67dc93c539f874", 7: "37d1018bf50002ab", 8: "6224939a79f5f593",
                 15: "e545be4961ca29a1"}  # fmt: skip
    key = bytes(range(16))
    for length, digest in published.items():
        assert siphash(key, bytes(range(length))).to_bytes(8, "little").hex() == digest
    first, second, message = (int.from_bytes(part, "little") for part in (key[:8], key[8:], key[:7]))
    assert int(seeds.siphash(first, second, message)).to_bytes(8, "little").hex() == published[7]


@given(STREAMS, PLACES)
def test_a_one_way_number_is_the_hash_of_its_place_with_the_stream_as_key(stream: int, n: int) -> None:
    assert seeds.one_way(stream, n) == siphash(stream.to_bytes(16, "little"), n.to_bytes(7, "little")) >> 1


def test_a_bit_of_the_stream_or_of_the_place_changes_half_the_bits_of_a_one_way_number() -> None:
    """Over 200 streams every bit changes about 31.5 of the 63: the mean is within five standard deviations."""
    streams = [seeds.number(seeds.keys(5).dice, n) for n in range(200)]
    changes = [(1 << bit, 0) for bit in range(63)] + [(0, 1 << bit) for bit in range(56)]
    for stream_bit, place_bit in changes:
        differing = [seeds.one_way(each, 3) ^ seeds.one_way(each ^ stream_bit, 3 ^ place_bit) for each in streams]
        mean = sum(each.bit_count() for each in differing) / len(streams)
        assert abs(mean - 31.5) <= 5 * (63 / 4 / len(streams)) ** 0.5


@given(STREAMS, PLACES, st.integers(1, 10**6))
def test_a_number_below_a_limit_is_below_it(stream: int, n: int, limit: int) -> None:
    roll = seeds.below(stream, n, limit)
    assert 0 <= roll < limit
    assert roll == ((splitmix(stream, n) >> 33) * limit) >> 31


@pytest.mark.parametrize("limit", [2, 3, 6, 50])
def test_numbers_below_a_limit_come_equally_often(limit: int) -> None:
    """Pearson's sum over 50,000 rolls is within five standard deviations of its mean."""
    rolls = 50_000
    counts = Counter(seeds.below(seeds.keys(1).dice, n, limit) for n in range(rolls))
    distance = sum((counts[side] - rolls / limit) ** 2 for side in range(limit)) * limit / rolls
    assert abs(distance - (limit - 1)) <= 5 * (2 * (limit - 1)) ** 0.5


def test_one_roll_says_nothing_of_the_next() -> None:
    """The same sum, over pairs of rolls of one stream and of two streams side by side."""
    rolls = 40_000
    for other, step in ((0, 1), (1, 0)):
        stream = [seeds.number(seeds.keys(2).dice, each) for each in (0, other)]
        pairs = Counter((seeds.below(stream[0], n, 6), seeds.below(stream[1], n + step, 6)) for n in range(rolls))
        distance = sum((pairs[a, b] - rolls / 36) ** 2 for a in range(6) for b in range(6)) * 36 / rolls
        assert abs(distance - 35) <= 5 * 70**0.5


def test_a_stretch_of_a_stream_is_its_numbers_one_by_one() -> None:
    stream = seeds.keys(3).deal
    assert seeds.numbers(stream, 5, 20).tolist() == [seeds.number(stream, n) for n in range(5, 25)]


# Cards and dice


def test_cards_and_dice_come_from_keys_of_their_own() -> None:
    every = [key for seed in range(500) for key in seeds.keys(seed)]
    assert len(set(every)) == 1000
    assert all(0 <= key < 2**63 for key in every)


def test_the_key_of_the_dice_says_nothing_of_the_key_of_the_cards() -> None:
    """Bit by bit the two keys agree as often as coins would: within five standard deviations over 2,000 seeds."""
    number = 2_000
    differing = [deal ^ dice for deal, dice in map(seeds.keys, range(number))]
    for bit in range(63):
        same = sum(not each >> bit & 1 for each in differing)
        assert abs(same - number / 2) <= 5 * (number / 4) ** 0.5


def test_the_dice_of_a_match_are_never_the_cards_of_one() -> None:
    deals, dice = (
        {
            seeds.number(key, game)
            for keys in map(seeds.keys, range(50))
            for key in (keys[which],)
            for game in range(200)
        }
        for which in (0, 1)
    )
    assert len(deals) == len(dice) == 10_000
    assert not deals & dice


@pytest.mark.parametrize("number", [0, 1, 999])
def test_a_game_of_a_seed_has_the_same_deck_for_any_players_and_rules(number: int) -> None:
    starts = [dealt(players, rules=rules, seed=6, number=number)[0] for players in PLAYERS for rules in EVERY_RULES]
    assert len({start["deck"].tobytes() for start in starts}) == 1
    for start in starts:
        assert start["streams"].tolist() == starts[-1]["streams"].tolist()[: start["players"]] + [0] * (
            5 - start["players"]
        )


def test_games_and_seeds_have_decks_of_their_own() -> None:
    decks = {dealt(2, seed=seed, number=number)[0]["deck"].tobytes() for seed in range(20) for number in range(20)}
    assert len(decks) == 400


def test_every_card_comes_to_every_place_of_the_deck_equally_often() -> None:
    """Where the white five lies in 5,000 decks: Pearson's sum is within five standard deviations of its mean."""
    number = 5_000
    places = Counter(dealt(2, number=game)[0]["deck"].tolist().index(24) for game in range(number))
    distance = sum((places[place] - number / 50) ** 2 for place in range(50)) * 50 / number
    assert abs(distance - 49) <= 5 * 98**0.5
