// Advice drawn on the cards of a board: a small sign in words on each card, or place, that a move is about.

// A choice of Hanabi names its cards; one of Love Letter the card to lay down and the place it is aimed at.
function signs(board, choice, view) {
  if (choice.cards) {
    const words = choice.action === "hint" ? `hint ${choice.value}` : choice.action;
    return choice.cards.map((card) => [board.querySelector(`[data-card="${card}"]`), words]);
  }
  const slot = view?.seats?.[view.seat]?.cards.indexOf(choice.card) ?? -1;
  const aimed = choice.target ?? null;
  return [
    [slot >= 0 && board.querySelector(`.own [data-slot="${slot}"]`), "play"],
    [aimed !== null && board.querySelector(`[data-seat="${aimed}"]`), choice.named ? `is it the ${choice.named}?` : `${choice.card} here`],
  ];
}

export function markAdvice(board, choice, view) {
  for (const element of board.querySelectorAll("[data-advised]")) delete element.dataset.advised;
  if (!choice) return;
  for (const [element, words] of signs(board, choice, view)) if (element) element.dataset.advised = words;
}
