// The guided game of Hanabi. On this deal the others always answer in the same way.

export const TABLE = {
  seed: 44,
  seats: [{ kind: "me" }, { kind: "bot", agent: "trustful" }, { kind: "bot", agent: "trustful" }],
  rules: { lost_game: "piles", empty_hint: "forbidden", full_discard: "allowed" },
};

export const COURSE = [
  "hint 1 to G2", "play 4", "hint 1 to G1",
  "play 2", "play 4", "hint red to G2",
  "discard 1", "play 1", "hint yellow to G2",
];

// A card of one's own, then what is done with it.
const own = (slot, action) => [`.own .card:nth-child(${slot})`, `.board:has(.own .card:nth-child(${slot})[aria-pressed=true]) [data-key=${action}]`];

export const STEPS = [
  { at: ".own", text: "This is your hand. Everybody sees these cards but you." },
  { at: ".others", text: "These are the others' cards, which they do not see. ▲ can be played now." },
  { at: ".piles", text: "Together you build five fireworks, from 1 up to 5 in each colour. Every card is a point." },
  {
    turn: 0, press: ["[data-hand='1'] .card:nth-child(4)", "[data-key=value-1]", "[data-key=give]"],
    text: "G2 has two 1s that fit. Give a hint: choose one of them, then 1. A hint shows a player all cards of one rank, or all of one colour.",
    not: "Not yet: nobody but you can tell G2 about the 1s.",
  },
  { at: "[data-pile=green]", text: "G2 understood, and played one. A hint mostly says: play this." },
  { at: ".status .gauge", text: "Each hint takes one of eight tokens. Yours did, and so did one that G3 gave." },
  {
    turn: 3, press: own(2, "play"),
    text: "G3 told you: this is a 1. The grid shows what it can still be. A hinted card is mostly meant to be played: choose it, and play it.",
    not: "Not yet: G3 spent a token on your second card. Play that one.",
  },
  { at: ".gauge:nth-child(2)", text: (events) => `${events[3].text}. It fits. One that does not fit costs a life; with the third the game is lost.` },
  { at: "[data-hand='1'] .card:nth-child(2)", text: "Never throw away a 5: there is only one of each colour. There are two of each 2, 3 and 4, and three 1s. ! marks a last copy." },
  {
    turn: 6, press: own(1, "discard"),
    text: "Nobody told you anything new, so discard: that brings a token back. Take the oldest card without a hint, at the left. The others expect it, and would warn you.",
    not: "Not yet: discard your oldest card, at the left.",
  },
  { at: ".discards", text: (events) => `${events[6].text}. Here lies what is gone. ! says that only one copy is left now.` },
  { at: ".deck-gauge", text: "When the deck is empty, everybody has one more turn. Now play on! Kibitz, beside or below the table, tells what a bot would do." },
];
