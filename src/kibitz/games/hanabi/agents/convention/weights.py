"""The weights of `convention2` by name: the choices of the convention, and numbers; the values are in its TOML file."""

from pathlib import Path

from kibitz.core.weights import load_weights

NAMES = (
    # The focus: which card a hint is about
    "focus.colour_newest", "focus.rank_newest", "focus.touched_again",
    # What a hint, or its absence, implies
    "implicit.discard", "implicit.save_tokens", "implicit.hint_over_play", "implicit.no_play_saves",
    "implicit.no_play_denies",
    # Which card is discarded, and what the choice says
    "discard.chop", "discard.max_calls",
    # Play, hint or discard
    "gamble.min_chance", "gamble.last_round", "discard.min_pace", "hint_value.busy_tokens", "discard.below_tokens",
    "discard.max_cost",
    # The value of a hint
    "hint_value.play", "hint_value.more_plays", "hint_value.known", "hint_value.save", "hint_value.useless",
    "hint_value.narrowing",
    # What the discard of a card costs
    "cost.critical", "cost.critical_rank", "cost.needed", "cost.needed_rank", "cost.duplicate",
    # The end of the deck
    "endgame.deck", "endgame.worlds", "endgame.trial_worlds", "endgame.min_gain", "endgame.cards_per_hint",
)  # fmt: skip
(
    COLOUR_NEWEST, RANK_NEWEST, TOUCHED_AGAIN,
    IMPLICIT_DISCARD, SAVE_TOKENS, HINT_OVER_PLAY, NO_PLAY_SAVES, NO_PLAY_DENIES,
    DISCARD_CHOP, MAX_CALLS,
    MIN_CHANCE, LAST_ROUND, MIN_PACE, BUSY_TOKENS, BELOW_TOKENS, MAX_COST,
    VALUE_PLAY, VALUE_MORE_PLAYS, VALUE_KNOWN, VALUE_SAVE, VALUE_USELESS, VALUE_NARROWING,
    CRITICAL, CRITICAL_RANK, NEEDED, NEEDED_RANK, DUPLICATE,
    ENDGAME_DECK, ENDGAME_WORLDS, ENDGAME_TRIAL_WORLDS, ENDGAME_MIN_GAIN, ENDGAME_CARDS_PER_HINT,
) = range(len(NAMES))  # fmt: skip

WEIGHTS = load_weights(Path(__file__).with_name("convention2.toml"), NAMES)
