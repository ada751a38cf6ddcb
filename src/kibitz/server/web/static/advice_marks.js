// @ts-check
// Advice drawn on a board: a label on each card or seat that a move involves.

// Hanabi's choices name cards, Love Letter's a card and a target.
function signs(choice, view) {
  if (choice.cards) return choice.cards.map((card) => [`[data-card="${card}"]`, choice.action === "hint" ? `hint ${choice.value}` : choice.action]);
  const slot = view?.seats?.[view.seat]?.cards.indexOf(choice.card);
  return [[`.own [data-slot="${slot}"]`, "play"], [`[data-seat="${choice.target}"]`, choice.named ? `name ${choice.named}` : `${choice.card} here`]];
}

export function markAdvice(board, choice, view) {
  for (const element of board.querySelectorAll("[data-advised]")) delete element.dataset.advised;
  for (const [where, words] of choice ? signs(choice, view) : []) {
    const element = board.querySelector(where);
    if (element) element.dataset.advised = words;
  }
}
