// @ts-check
// Notices that somebody may know the cards: the seed was chosen, or the table continues an earlier game.

import { h } from "./dom.js";
import { t } from "./texts.js";

/** @typedef {{ seed?: number, seed_by?: string, origin?: { turn: number }, open?: boolean }} Options */

// In a few words, for lists; empty if nobody can know the cards.
/** @param {Options} options */
export function knownDeal({ seed, seed_by, origin } = {}) {
  if (seed_by !== undefined) return [seed === undefined ? t("seed chosen") : t("seed {seed} chosen", { seed }), seed_by && t("by {name}", { name: seed_by })].filter(Boolean).join(" ");
  return origin ? t("continues an earlier game") : "";
}

// As a sentence, for people about to sit down.
/** @param {Options} options */
export function knownDealSentence({ seed, seed_by, origin } = {}) {
  if (seed_by !== undefined) return t("{name} chose this table's seed ({seed}) and could know the cards.", { name: seed_by || t("Somebody"), seed });
  return origin ? t("This table continues an earlier game: anyone who saw that game could know the cards.") : "";
}

// At the table until the first move, if more than one person plays.
/** @param {{ options?: Options, seats: { kind: string }[], state: string, turn: number }} table */
export function knownDealNotice({ options = {}, seats, state, turn }) {
  const shared = seats.filter((seat) => seat.kind === "open" || seat.kind === "person").length > 1;
  const playing = state === "waiting" || state === "running";
  const sentence = playing && shared && !options.open && turn === (options.origin?.turn ?? 0) && knownDealSentence(options);
  return sentence ? h("p", { class: "known-deal", role: "note" }, sentence) : null;
}
