// The card that its holder would discard next: the oldest that no hint has touched. Hands are in the order of their age.

export const chopOf = (hand) => hand.find((card) => !card.colour_hinted && !card.rank_hinted) ?? null;
