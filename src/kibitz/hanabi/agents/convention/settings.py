"""The choices of a convention and the numbers it is played by, by name; their values are in `convention2.toml`."""

from pathlib import Path

from kibitz.core.weights import load_weights

NAMES = (
    # Which card a hint is about, and what it says of it
    "focus.colour_newest", "focus.rank_newest", "focus.new_first", "focus.chop_first", "focus.again", "focus.chain",
    "save.colour", "save.rank", "touch.good",
    # What it says that there was no hint, or that there was one
    "silence.discard", "silence.play", "silence.hint", "silence.dull", "silence.dull_fits", "discard.calls", "discard.copies", "discard.no_call", "discard.bar", "discard.tokens",
    # Plays that may fail
    "trust.public", "trust.own", "trust.last_life", "trust.last_round",
    # Play, hint or discard
    "pace.slack", "pace.busy", "pace.stall", "pace.bar", "pace.trash", "pace.honest",
    # What a hint is worth
    "worth.play", "worth.more", "worth.known", "worth.save", "worth.bad_touch", "worth.bits",
    # What it costs to throw a card away
    "cost.critical", "cost.critical_rank", "cost.needed", "cost.needed_rank", "cost.elsewhere", "cost.chop",
    # The end of the deck
    "end.deck", "end.worlds", "end.trial", "end.loyalty", "end.told",
)  # fmt: skip
(
    COLOUR_NEWEST, RANK_NEWEST, NEW_FIRST, CHOP_FIRST, AGAIN, CHAIN,
    SAVE_COLOUR, SAVE_RANK, GOOD_TOUCH,
    SILENT_DISCARD, SILENT_PLAY, SAVING_HINT, DULL_HINT, DULL_FITS, CALLS, COPIES, NO_CALL, CALL_BAR, CALL_TOKENS,
    TRUST_PUBLIC, TRUST_OWN, TRUST_LAST_LIFE, TRUST_LAST_ROUND,
    SLACK, BUSY, STALL, BAR, TRASH, HONEST,
    WORTH_PLAY, WORTH_MORE, WORTH_KNOWN, WORTH_SAVE, BAD_TOUCH, WORTH_BITS,
    CRITICAL, CRITICAL_RANK, NEEDED, NEEDED_RANK, ELSEWHERE, CHOP,
    END_DECK, END_WORLDS, END_TRIAL, END_LOYALTY, END_TOLD,
) = range(len(NAMES))  # fmt: skip

WEIGHTS = load_weights(Path(__file__).with_name("convention2.toml"), NAMES)
