// @ts-check
// Names of the people and bots in each seat. Texts of games call the seats G1, G2, …

import { holderName } from "./names.js";
import { language, localized, t } from "./texts.js";

export function seatNames(seats) {
  const plain = seats.map((seat, index) => {
    if (seat.kind === "open") return seat.reserved ? seat.name : t("open seat");
    return seat.for ? t("{bot} for {name}", { bot: holderName(seat), name: seat.for }) : holderName(seat) || `G${index + 1}`;
  });
  return plain.map((name, index) => (plain.filter((other) => other === name).length > 1 ? `${name} ${index + 1}` : name));
}

// The names in each seat over time: a seat may change hands.
export class Holders {
  constructor(changes = []) {
    this.changes = changes.map(({ turn, seats }) => ({ turn, names: seatNames(seats) }));
  }

  // Note the names from a turn on.
  note(turn, names) {
    const last = this.changes.at(-1);
    if (!last) this.changes.push({ turn: 0, names });
    else if (last.turn === turn) last.names = names;
    else if (last.names.join("\n") !== names.join("\n")) this.changes.push({ turn, names });
  }

  after(turn) {
    return (this.changes.findLast((each) => each.turn <= turn) ?? this.changes[0])?.names ?? [];
  }

  // The names at the time of an event.
  at(event) {
    return this.after(event.turn - 1);
  }
}

// A server's notice about seats, with seat numbers, as their names may just have changed.
export const withSeatNumbers = (text) => localized(String(text ?? "")).replace(/\bG(\d)\b/g, t("seat {n}", { n: "$1" }));

// A game's text with names instead of G1, G2, …
export function withNames(text, names) {
  return localized(String(text ?? "")).replace(/\bG(\d)\b/g, (seat, number) => names[number - 1] ?? seat);
}

export function ago(seconds) {
  const minutes = Math.round((Date.now() / 1000 - seconds) / 60);
  if (minutes < 1) return t("just now");
  if (minutes < 60) return t("{minutes} min ago", { minutes });
  if (minutes < 60 * 24) return t("{hours} h ago", { hours: Math.round(minutes / 60) });
  return new Date(seconds * 1000).toLocaleDateString(language);
}
