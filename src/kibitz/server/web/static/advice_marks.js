// @ts-check
// Advice drawn on a board: a label on each card or seat that a move involves.

import "./more_texts.js";
import { localized, t } from "./texts.js";

// Hanabi's choices name cards, Love Letter's a card and a target.
function signs(choice, view) {
  if (choice.cards) return choice.cards.map((card) => [`[data-card="${card}"]`, choice.action === "hint" ? t("hint {value}", { value: localized(choice.value) }) : choice.action === "play" ? t("play") : t("discard")]);
  const slot = view?.seats?.[view.seat]?.cards.indexOf(choice.card);
  return [[`.own [data-slot="${slot}"]`, t("play")], [`[data-seat="${choice.target}"]`, choice.named ? t("name {card}", { card: localized(choice.named) }) : t("{card} here", { card: localized(choice.card) })]];
}

export function markAdvice(board, choice, view) {
  for (const element of board.querySelectorAll("[data-advised]")) delete element.dataset.advised;
  for (const [where, words] of choice ? signs(choice, view) : []) {
    const element = board.querySelector(where);
    if (element) element.dataset.advised = words;
  }
}
