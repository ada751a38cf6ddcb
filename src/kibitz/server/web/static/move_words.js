// @ts-check
// A recommended move in words.

import { withNames } from "./seat_names.js";
import { localized, t } from "./texts.js";

// A move in words; Love Letter's choices have the parts of a sentence.
export function moveWords(move, choice, { names, message, as = message?.as }) {
  if (!choice?.card) return withNames(move, names);
  const values = { card: localized(choice.card), name: typeof choice.target !== "number" ? "" : choice.target === as ? t("yourself") : names[choice.target], named: localized(choice.named ?? "") };
  return choice.named ? t("{card} on {name}, naming {named}", values) : values.name ? t("{card} on {name}", values) : values.card;
}
