// Why somebody may know the cards of a table: its seed was chosen, or it goes on from a game that was played before.

import { h } from "./dom.js";

// In a few words, for lists; empty if nobody can know.
export function knownDeal({ seed, seed_by, origin } = {}) {
  if (seed_by !== undefined) return `seed ${seed === undefined ? "" : `${seed} `}chosen${seed_by ? ` by ${seed_by}` : ""}`;
  return origin ? "continues an earlier game" : "";
}

// In a sentence, for who is to sit down.
export function knownDealSentence({ seed, seed_by, origin } = {}) {
  if (seed_by !== undefined) return `${seed_by || "Somebody"} chose this table's seed (${seed}) and could know the cards.`;
  return origin ? "This table continues an earlier game: anyone who saw that game could know the cards." : "";
}

// At the table, until the first move, where more than one person plays.
export function knownDealNotice({ options = {}, seats, state, turn }) {
  const shared = seats.filter((seat) => seat.kind === "open" || seat.kind === "person").length > 1;
  const playing = state === "waiting" || state === "running";
  const sentence = playing && shared && !options.open && turn === (options.origin?.turn ?? 0) && knownDealSentence(options);
  return sentence ? h("p", { class: "known-deal", role: "note" }, sentence) : null;
}
