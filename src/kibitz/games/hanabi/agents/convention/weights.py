"""The choices of the convention, and the numbers it is played by, by name; their values are in `convention2.toml`."""

from pathlib import Path

from kibitz.core.weights import load_weights

NAMES = (
    # Which card a hint is about
    "focus.colour_newest", "focus.rank_newest", "focus.again",
    # What it says that a hint was not given, or that one was
    "silence.discard", "silence.saving", "silence.instead", "silence.dull", "silence.dull_fits",
    # Which card goes, and what it says that another went
    "discard.oldest", "discard.calls",
    # Play, hint or discard
    "pace.trust", "pace.last_round", "pace.slack", "pace.busy", "pace.tokens", "pace.bar",
    # What a hint is worth
    "worth.play", "worth.more", "worth.known", "worth.save", "worth.useless", "worth.told",
    # What it costs to throw a card away
    "cost.critical", "cost.critical_rank", "cost.needed", "cost.needed_rank", "cost.elsewhere",
    # The end of the deck
    "end.deck", "end.worlds", "end.trial", "end.loyalty", "end.told",
)  # fmt: skip
(
    COLOUR_NEWEST, RANK_NEWEST, AGAIN,
    SILENT_DISCARD, SAVING, INSTEAD_OF_PLAY, DULL, DULL_FITS,
    OLDEST, CALLS,
    TRUST, LAST_ROUND, SLACK, BUSY, MOST_TOKENS, BAR,
    WORTH_PLAY, WORTH_MORE, WORTH_KNOWN, WORTH_SAVE, WORTH_USELESS, WORTH_TOLD,
    CRITICAL, CRITICAL_RANK, NEEDED, NEEDED_RANK, ELSEWHERE,
    END_DECK, END_WORLDS, END_TRIAL, END_LOYALTY, END_TOLD,
) = range(len(NAMES))  # fmt: skip

WEIGHTS = load_weights(Path(__file__).with_name("convention2.toml"), NAMES)
