// @ts-check
// The guided game of Hanabi. On this deal the bots always answer the same way.

import { t } from "/static/texts.js";

export const TABLE = {
  seed: 44,
  seats: [{ kind: "me" }, { kind: "bot", agent: "trustful" }, { kind: "bot", agent: "trustful" }],
  rules: { lost_game: "piles", empty_hint: "forbidden", full_discard: "allowed" },
};

/* eslint-disable texts/translated */
export const COURSE = [
  "hint 1 to G2", "play 4", "hint 1 to G1",
  "play 2", "play 4", "hint red to G2",
  "discard 1", "play 1", "hint yellow to G2",
];
/* eslint-enable texts/translated */

// One of the viewer's cards, then the action on it.
const own = (slot, action) => [`.own .card:nth-child(${slot})`, `.board:has(.own .card:nth-child(${slot})[aria-pressed=true]) [data-key=${action}]`];

export const STEPS = [
  { at: ".own", text: t("This is your hand. Everybody sees these cards but you.") },
  { at: ".others", text: t("These are the other players' cards. They cannot see them. ▲ can be played now.") },
  { at: ".piles", text: t("Together you build five fireworks, from 1 up to 5 in each colour. Every card is a point.") },
  {
    turn: 0, press: ["[data-hand='1'] .card:nth-child(4)", "[data-key=value-1]", "[data-key=give]"],
    text: t("G2 has two 1s that can be played. Give a hint: choose one of them, then 1. A hint points out all of a player's cards of one rank or one colour."),
    not: t("Not yet: only you can hint G2's 1s."),
  },
  { at: "[data-pile=green]", text: t("G2 understood and played one. A hint usually means: play this.") },
  { at: ".status .gauge", text: t("Each hint costs one of eight tokens. You spent one, and so did G3.") },
  {
    turn: 3, press: own(2, "play"),
    text: t("G3's hint says this is a 1. The grid shows what it can still be. A hinted card is usually meant to be played: choose it and play it."),
    not: t("Not yet: G3 spent a token on your second card. Play that one."),
  },
  { at: ".gauge:nth-child(2)", text: (events) => t("{text}. It could be played. A card that cannot costs a life; after three the game is lost.", { text: events[3].text }) },
  { at: "[data-hand='1'] .card:nth-child(2)", text: t("Never discard a 5: there is only one in each colour. There are two of each 2, 3 and 4, and three 1s. ! marks a last copy.") },
  {
    turn: 6, press: own(1, "discard"),
    text: t("You have no new hint, so discard to regain a token. Take the oldest card without a hint, on the left. The others expect that, and would warn you."),
    not: t("Not yet: discard your oldest card, on the left."),
  },
  { at: ".discards", text: (events) => t("{text}. Discarded cards are shown here. ! means that only one copy is left.", { text: events[6].text }) },
  { at: ".deck-gauge", text: t("When the deck is empty, everybody has one more turn. Now it is up to you! The Kibitz panel shows what a bot would do.") },
];
