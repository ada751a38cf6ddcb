"""The numbers `signal` plays by, by name; their values, by the number of players, are in `signal.toml`."""

from pathlib import Path

from kibitz.core.weights import load_weights

NAMES = (
    # What a hint can say
    "codes.doubt", "codes.careful_lives",
    # What is asked
    "questions.identities", "questions.others", "questions.foresight", "questions.duplicates", "questions.spare",
    # What other moves say
    "sums.discards", "sums.alike", "sums.alike_empty", "sums.plays",
    "silence.discards", "silence.saving", "silence.rescue", "silence.helping", "silence.helping_tokens",
    # When to hint and when to discard
    "pace.slack", "pace.help_0", "pace.help_1", "pace.help_2", "pace.help_3", "pace.idle",
    "pace.late", "pace.locked",
    # What a card is worth to keep
    "cost.critical", "cost.critical_rank", "cost.needed", "cost.needed_rank", "cost.needed_now",
    "cost.elsewhere", "cost.known", "cost.bar",
    # Plays that may fail
    "gamble.last_round", "gamble.sure", "gamble.sure_full",
    # The end of the deck
    "end.deck", "end.worlds", "end.trial", "end.loyalty", "end.told",
)  # fmt: skip
(
    DOUBT, CAREFUL_LIVES,
    IDENTITIES, OTHERS, FORESIGHT, DUPLICATES, SPARE,
    DISCARD_SUMS, ALIKE, ALIKE_EMPTY, PLAY_SUMS,
    SILENT_DISCARDS, SAVING, RESCUE, HELPING, HELPING_TOKENS,
    SLACK, HELP, HELP_1, HELP_2, HELP_3, IDLE, LATE, LOCKED,
    CRITICAL, CRITICAL_RANK, NEEDED, NEEDED_RANK, NEEDED_NOW, ELSEWHERE, KNOWN, BAR,
    LAST_ROUND, SURE, SURE_FULL,
    END_DECK, END_WORLDS, END_TRIAL, END_LOYALTY, END_TOLD,
) = range(len(NAMES))  # fmt: skip

WEIGHTS = load_weights(Path(__file__).with_name("signal.toml"), NAMES)
