// @ts-check
// The next discard of a hand: the oldest card without a hint. Hands are ordered by age.

export const chopOf = (hand) => hand.find((card) => !card.colour_hinted && !card.rank_hinted) ?? null;
