"""The weights of `signal` by name. `signal.toml` has their values for each number of players."""

from pathlib import Path

from kibitz.core.weights import load_weights

NAMES = (
    # What a hint can encode
    "codes.max_unavailable", "codes.always_available_lives",
    # What it encodes
    "questions.identities", "questions.other_cards", "questions.foresight",
    "questions.duplicates", "questions.ask_duplicates",
    # What other moves encode
    "mod_sum.discards", "mod_sum.similar_cost", "mod_sum.similar_cost_no_tokens", "mod_sum.plays",
    "implicit.discards", "implicit.save_tokens", "implicit.save_by_discard", "implicit.help_pace",
    "implicit.help_tokens",
    # When to hint and when to discard
    "discard.min_pace", "discard.below_tokens_0", "discard.below_tokens_1", "discard.below_tokens_2",
    "discard.below_tokens_3", "discard.idle", "discard.late_tokens", "discard.partner_locked",
    # What the discard of a card costs
    "cost.critical", "cost.critical_rank", "cost.needed", "cost.needed_rank", "cost.needed_playable",
    "cost.duplicate", "cost.known_identity", "cost.max_idle",
    # Plays that may fail
    "gamble.last_round", "gamble.min_chance", "gamble.min_chance_all_lives",
    # The end of the deck
    "endgame.deck", "endgame.worlds", "endgame.trial_worlds", "endgame.min_gain", "endgame.cards_per_hint",
)  # fmt: skip
(
    MAX_UNAVAILABLE, ALWAYS_AVAILABLE_LIVES,
    IDENTITIES, OTHER_CARDS, FORESIGHT, DUPLICATES, ASK_DUPLICATES,
    MOD_SUM_DISCARDS, SIMILAR_COST, SIMILAR_COST_NO_TOKENS, MOD_SUM_PLAYS,
    IMPLICIT_DISCARDS, SAVE_TOKENS, SAVE_BY_DISCARD, HELP_PACE, HELP_TOKENS,
    MIN_PACE, BELOW_TOKENS, BELOW_TOKENS_1, BELOW_TOKENS_2, BELOW_TOKENS_3, IDLE, LATE_TOKENS, PARTNER_LOCKED,
    CRITICAL, CRITICAL_RANK, NEEDED, NEEDED_RANK, NEEDED_PLAYABLE, DUPLICATE, KNOWN_IDENTITY, MAX_IDLE,
    LAST_ROUND, MIN_CHANCE, MIN_CHANCE_ALL_LIVES,
    ENDGAME_DECK, ENDGAME_WORLDS, ENDGAME_TRIAL_WORLDS, ENDGAME_MIN_GAIN, ENDGAME_CARDS_PER_HINT,
) = range(len(NAMES))  # fmt: skip

WEIGHTS = load_weights(Path(__file__).with_name("signal.toml"), NAMES)
