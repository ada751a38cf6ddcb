// @ts-check
// A recommended move in words.

import { withNames } from "./seat_names.js";

// A move in words; Love Letter's choices have the parts of a sentence.
export function moveWords(move, choice, { names, message }) {
  if (!choice?.card) return withNames(move, names);
  const on = typeof choice.target !== "number" ? "" : ` on ${choice.target === message.as ? "yourself" : names[choice.target]}`;
  return `${choice.card}${on}${choice.named ? `, naming ${choice.named}` : ""}`;
}
