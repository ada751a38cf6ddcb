// @ts-check
// The Hanabi board: five fireworks in a night sky, the other hands face up, the viewer's own face down.

import { button, dialog, focused, reducedMotion, h, redraw } from "/static/dom.js";
import { dragging } from "/static/drag.js";
import { boardFrame, plate, waitingWords, yourTurn } from "/static/frame.js";
import { setting } from "/static/settings.js";
import { COLOURS, LETTERS, RANKS, back, colourOf, emptyPile, eyeSign, face, inWords, rankOf, sign, valueWords } from "./cards.js";
import { hintArrows } from "./arrows.js";
import { chopOf } from "./chop.js";
import { moved } from "./motion.js";
import { drawnNote, noteWords } from "./notes.js";
import { t, tn } from "/static/texts.js";

const KEYS = [
  [t("P then 1 … 5"), t("play one of your cards, by its number: 1 is the oldest")],
  [t("D then 1 … 5"), t("discard one of your cards")],
  [t("then Enter or Esc"), t("confirm or cancel; the settings can turn the confirmation off")],
  [t("H then a seat's number"), t("choose the player to hint (not needed with two players)")],
  [t("then r y g b w or 1 … 5"), t("the colour or rank to hint; Enter gives it, Esc cancels")],
  [t("N then 1 … 5"), t("write a note on one of your cards; N alone: on the focused card")],
  [t("E, held down"), t("show every hand as its owner knows it")],
];

// The marks on the discards, and what they mean.
const MARKS = [
  ["gone", t("Filled: a copy was discarded; ×2 says how many")],
  ["played", t("Framed: played, so it is not needed any more")],
  ["critical", t("With !: only one copy is left, and it is needed")],
  ["dead", t("Struck through: it can never be played")],
];
const SHORT = { gone: t("discarded"), played: t("played"), critical: t("last copy"), dead: t("never playable") };
const FLAGS = { playable: t("playable"), critical: t("critical"), useless: t("useless") };
const WHICH = { play: t("Play which card?"), discard: t("Discard which card?"), note: t("Note on which card?") };
const legend = () => h("ul", { class: "key", "aria-hidden": "true" }, MARKS.map(([mark]) => h("li", {}, h("span", { class: `kind ${mark}` }, "3", mark === "critical" && h("em", {}, "!")), SHORT[mark])));

export function mount(root, actions) {
  root.append(h("div", { class: "sky", "aria-hidden": "true" }));
  const frame = boardFrame(root, actions);
  const parts = { status: frame.status, middle: h("div", { class: "middle" }), others: h("div", { class: "others" }), mine: frame.own, prompt: frame.prompt };
  frame.field.append(parts.middle, parts.others);
  const arrows = hintArrows(root);
  const drag = dragging(root, ".own .card", dropPlaces);

  let view = null;
  let context = null;
  let chosen = null; // { own: slot, sure: choice awaiting confirmation } or { hint: seat, value } or { ask: "play" | "discard" | "note" | "hint" }
  let noting = null; // { card, text }: the card whose note is being written
  let empathic = new Set(); // seats whose hands are shown as their owners know them
  let pending = null; // an event to animate with the next view

  // Drawing

  function render(newView, newContext) {
    const turned = !view || view.turn !== newView.turn || context.as !== newContext.as;
    const before = pending ? moved.before(root, view, pending) : null;
    view = newView;
    context = newContext;
    if (turned) {
      chosen = null;
      drag.cancel(); // its targets were for another turn
    }
    if (noting && !(mayNote() && whereIs(noting.card))) noting = null; // an unfinished note survives a move
    const me = typeof context.as === "number" && view.seat === context.as ? context.as : null;
    const around = me === null ? view.hands.map((_, seat) => seat) : view.hands.slice(1).map((_, step) => (me + 1 + step) % view.players);
    root.dataset.players = view.players;
    frame.update(context);
    redraw(parts.status, status());
    redraw(parts.middle, piles(), discards());
    redraw(parts.others, around.map(hand));
    redraw(parts.mine, me === null ? null : hand(me));
    drawPrompt();
    lightRecent();
    if (before) moved.after(root, before, pending);
    pending = null;
  }

  function status() {
    const lamps = Array.from({ length: view.most_tokens }, (_, n) => h("i", { class: n < view.tokens ? "lamp lit" : "lamp" }));
    const lost = context.event?.misplayed; // a life was lost with this move
    const lives = Array.from({ length: view.most_lives }, (_, n) => h("i", { class: n < view.lives ? "life" : `life gone ${lost && n === view.lives ? "lost" : ""}` }));
    return [
      h("div", { class: "gauge", role: "img", "aria-label": t("{tokens} of {most} hint tokens", { tokens: view.tokens, most: view.most_tokens }) }, h("span", {}, t("hints")), h("b", {}, lamps)),
      h("div", { class: "gauge", role: "img", "aria-label": lost ? t("{lives} of {most} lives, one just lost", { lives: view.lives, most: view.most_lives }) : t("{lives} of {most} lives", { lives: view.lives, most: view.most_lives }) }, h("span", {}, t("lives")), h("b", {}, lives)),
      h("div", { class: "gauge deck-gauge", role: "img", "aria-label": tn(view.deck, "{n} card in the deck", "{n} cards in the deck") }, h("span", {}, t("deck")), h("b", { class: "number deck" }, view.deck)),
      h("div", { class: "gauge", role: "img", "aria-label": tn(view.score, "{n} point", "{n} points") }, h("span", {}, t("score")), h("b", { class: "number" }, view.score, h("small", {}, " / 25"))),
      view.turns_left && h("div", { class: "last-round", role: "status" }, tn(view.turns_left, "Last round: one turn left", "Last round: {n} turns left")),
    ];
  }

  function piles() {
    return h("div", { class: "piles", role: "group", "aria-label": t("Fireworks") }, COLOURS.map((colour) => {
      const height = view.piles[colour];
      return h("div", { class: `pile ${colour} ${height === 5 ? "done" : ""}`, data: { pile: colour }, role: "img", "aria-label": height ? t("{colour}: up to {height}", { colour: valueWords(colour), height }) : t("{colour}: not started", { colour: valueWords(colour) }) },
        height ? face(colour[0] + height) : emptyPile(colour));
    }));
  }

  // A grid of all kinds of cards: copies discarded, and whether the kind is played, critical or dead.
  function discards() {
    const gone = {};
    for (const kind of view.discards) gone[kind] = (gone[kind] ?? 0) + 1;
    const copies = COLOURS.map((colour) => RANKS.filter((rank) => gone[colour[0] + rank]).map((rank) => [inWords(colour[0] + rank), gone[colour[0] + rank] > 1 && `×${gone[colour[0] + rank]}`].filter(Boolean).join(" "))).flat();
    return h("div", { class: "discards", role: "group", "aria-label": t("Discards") },
      h("div", {}, h("h2", {}, t("Discards")), legend(),
        button("?", () => dialog(t("Discards"), h("div", { class: "board-hanabi marks" }, MARKS.map(([, words]) => h("p", {}, words)))), { class: "quiet about-marks", "aria-label": t("What the marks on the discards mean"), "data-key": "about-marks" })),
      h("p", { class: "unseen" }, copies.length ? t("Discarded: {cards}.", { cards: copies.join(", ") }) : t("Nothing discarded."), " ", t("Critical: {cards}.", { cards: view.critical.map(inWords).join(", ") || t("none") })),
      h("div", { class: "ledger", "aria-hidden": "true" }, COLOURS.map((colour) => [
        sign(colour),
        RANKS.map((rank) => {
          const kind = colour[0] + rank;
          const played = view.piles[colour] >= rank;
          const state = played ? "played" : view.useless.includes(kind) ? "dead" : view.critical.includes(kind) && rank < 5 ? "critical" : "";
          const words = { played: t("played"), dead: t("can never be played"), critical: t("critical: the last copy") }[state];
          return h("span", { class: `kind ${colour} ${state} ${gone[kind] ? "gone" : ""}`, data: { discard: kind }, title: [inWords(kind), gone[kind] && t("{n} discarded", { n: gone[kind] }), words].filter(Boolean).join(", ") },
            rank, gone[kind] > 1 && h("sup", {}, `×${gone[kind]}`), state === "critical" && h("em", {}, "!"));
        }),
      ])));
  }

  function hand(seat) {
    const mine = seat === view.seat;
    const name = context.names[seat] ?? `G${seat + 1}`;
    const acts = context.to_move === seat;
    const eye = !(mine && !context.past) && button(eyeSign(), () => {}, {
      class: "eye", "data-key": `eye-${seat}`, "aria-label": t("Hold to see the hand of {name} as its owner knows it", { name }), title: t("Hold to see this hand as its owner knows it"),
      onpointerdown: () => empathy([seat]), onpointerleave: () => empathy([]), onpointerup: () => empathy([]), onpointercancel: () => empathy([]),
      onkeydown: (event) => (event.key === " " || event.key === "Enter") && !event.repeat && empathy([seat]),
      onkeyup: () => empathy([]),
      oncontextmenu: (event) => event.preventDefault(),
    });
    return h("section", { class: `hand ${mine ? "own" : ""} ${acts ? "acts" : ""}`, data: { hand: seat }, "aria-label": mine ? t("Your hand") : t("Hand of {name}", { name }) },
      plate(context, seat, { mine, more: [mine && context.revealed && h("span", { class: "side-note" }, t("Small: what you knew")), eye] }),
      h("div", { class: "cards" }, cardsOf(seat)));
  }

  function cardsOf(seat) {
    const cards = view.hands[seat].map((card, slot) => cardButton(card, seat, slot));
    return setting("newest") === "left" ? cards.reverse() : cards;
  }

  function cardButton(card, seat, slot) {
    const mine = seat === view.seat;
    const kind = kindOf(card, seat, slot);
    const seen = kind && !empathic.has(seat);
    const turnedUp = seen && !card.kind; // the viewer's own card, after the game
    const legal = context.choices.length > 0;
    const note = context.notes[card.card];
    const chop = setting("chop") && chopOf(view.hands[seat]) === card;
    const flags = empathic.has(seat) ? [] : ["playable", "critical", "useless"].filter((flag) => card[flag]);
    const marked = card.colour_hinted || card.rank_hinted;
    return h("button", {
      type: "button", class: `card ${seen ? "seen" : "unseen-card"} ${turnedUp ? "turned-up" : ""} ${marked ? "marked" : ""} ${flags.join(" ")}`,
      data: { card: card.card, key: `card-${card.card}` }, "aria-label": words(card, seat, slot, [...flags.map((flag) => FLAGS[flag]), chop && t("next discard")], note),
      "aria-pressed": legal ? String(chosen?.own === slot && mine) : null,
      onclick: () => pick(seat, slot),
    },
    seen ? face(kind) : back(card),
    turnedUp && h("span", { class: "knew", title: t("What you knew of it") }, back(card)),
    seen && marked && !turnedUp && h("span", { class: "hinted" }, card.colour_hinted && sign(card.colour_hinted), card.rank_hinted),
    flags.includes("critical") && h("span", { class: "flag", title: t("critical: the last copy") }, "!"),
    flags.includes("useless") && h("span", { class: "flag", title: t("useless: can never be played") }, "×"),
    flags.includes("playable") && h("span", { class: "flag", title: t("playable now") }, "▲"),
    h("span", { class: "foot" }, h("span", { class: "slot" }, slot + 1), chop && h("span", { class: "chop", title: t("next discard") }, "↓")),
    note && h("span", { class: "note", title: note }, drawnNote(note)));
  }

  // The kind of a card if visible: the viewer's own hand is revealed after the game.
  const kindOf = (card, seat, slot) => card.kind ?? (seat === view.seat ? context.revealed?.hands[seat]?.[slot]?.kind : null);

  function words(card, seat, slot, flags, note) {
    const hinted = [valueWords(card.colour_hinted), card.rank_hinted].filter(Boolean).join(" ");
        const kind = kindOf(card, seat, slot);
    const seen = kind && !empathic.has(seat);
    const can = card.possible.length > 8 ? t("{n} kinds are possible", { n: card.possible.length }) : t("can be {cards}", { cards: card.possible.map(inWords).join(", ") });
    return [`${[cardName(card), slot === 0 && t("the oldest")].filter(Boolean).join(", ")}: ${seen ? inWords(kind) : can}`, seen && !card.kind && t("you knew: {can}", { can }), hinted && t("hinted {value}", { value: hinted }), ...flags, note && t("note: {text}", { text: noteWords(note) })].filter(Boolean).join("; ");
  }

  function empathy(seats) {
    const changed = [...new Set([...empathic, ...seats])];
    empathic = new Set(seats);
    for (const seat of changed) {
      const place = root.querySelector(`[data-hand="${seat}"]`);
      place?.classList.toggle("as-known", empathic.has(seat));
      if (place) redraw(place.querySelector(".cards"), cardsOf(seat));
    }
    lightRecent();
  }

  // Choosing a move

  const choices = (action) => context.choices.filter((choice) => choice.action === action);
  const hintsTo = (seat) => choices("hint").filter((choice) => choice.target === seat);

  function pick(seat, slot) {
    noting = null;
    if (seat === view.seat && !context.past) chosen = chosen?.own === slot ? null : { own: slot };
    else if (context.choices.length || mayNote()) chosen = { hint: seat, card: view.hands[seat][slot] };
    press();
    drawPrompt();
  }

  function press() {
    for (const [slot, card] of (view.hands[view.seat] ?? []).entries()) {
      const element = root.querySelector(`[data-card="${card.card}"]`);
      if (element?.hasAttribute("aria-pressed")) element.setAttribute("aria-pressed", String(chosen?.own === slot));
    }
  }

  function drawPrompt() {
    redraw(parts.prompt, prompt());
    if (chosen?.hint !== undefined && context.choices.length) light(chosen.value ? touched(chosen.hint, chosen.value) : null);
    else lightRecent();
  }

  function prompt() {
    if (noting) return noteForm();
    if (chosen?.sure) return question(chosen.sure);
    if (chosen?.own !== undefined) return ownCard(chosen.own);
    if (context.choices.length === 0 && chosen?.card && chosen.hint !== undefined) return [h("p", {}, cardName(chosen.card)), noteButton(chosen.card), button(t("Cancel"), cancel, { class: "quiet", "data-key": "cancel" })];
    if (context.choices.length === 0) return context.past ? h("p", { class: "waits" }, t("A past position. Hold the eye beside a hand to see it as its owner knew it.")) : waitingWords(context, t("{n} of 25 points.", { n: view.score }));
    if (chosen?.hint !== undefined) return hintValues(chosen.hint);
    if (chosen?.ask === "hint") return [h("p", {}, t("Hint which player?")), others().map((seat) => button(`${seat + 1} ${context.names[seat]}`, () => { chosen = { hint: seat }; drawPrompt(); }, { "data-key": `to-${seat}`, disabled: hintsTo(seat).length === 0 }))];
    if (chosen?.ask === "discard" && noDiscard()) return [h("p", { class: "asks" }, noDiscard()), button(t("Cancel"), cancel, { class: "quiet", "data-key": "cancel" })];
    if (chosen?.ask) return h("p", { class: "asks" }, `${WHICH[chosen.ask]} ${t("Press 1 to {n}.", { n: view.hands[view.seat].length })}`);
    return yourTurn(t("Choose one of your cards to play or discard, or another player's card to give a hint."));
  }

  const others = () => view.hands.map((_, seat) => seat).filter((seat) => seat !== view.seat);

  // By default, discarding is forbidden while all tokens are available.
  const noDiscard = () => (choices("discard").length ? "" : t("You cannot discard while all {most_tokens} hint tokens are available: give a hint or play a card.", { most_tokens: view.most_tokens }));

  function ownCard(slot) {
    const card = view.hands[view.seat][slot];
    const play = choices("play").find((choice) => choice.slot === slot);
    const discard = choices("discard").find((choice) => choice.slot === slot);
    return [
      h("p", {}, t("Your card {n}", { n: slot + 1 })),
      button(t("Play"), () => make(play), { class: "primary", disabled: !play, "data-key": "play" }),
      button(t("Discard"), () => make(discard), { disabled: !discard, "data-key": "discard", title: context.choices.length ? noDiscard() : "" }),
      noteButton(card),
      button(t("Cancel"), cancel, { class: "quiet", "data-key": "cancel" }),
    ];
  }

  // Keys are easily pressed by mistake: confirm their moves.
  const asked = ({ action, slot }) => action === "play" ? t("Play card {n}?", { n: slot + 1 }) : t("Discard card {n}?", { n: slot + 1 });
  const answers = t("Enter confirms, Esc cancels.");
  const question = (choice) => [
    h("p", {}, h("strong", {}, asked(choice)), ` ${answers}`),
    button(choice.action === "play" ? t("Play") : t("Discard"), () => make(choice), { class: "primary", "data-key": "sure" }),
    button(t("Cancel"), cancel, { class: "quiet", "data-key": "cancel" }),
  ];

  function confirm(choice) {
    if (!choice) return actions.announce(t("That card cannot be chosen now."));
    if (!setting("confirm")) return make(choice);
    chosen = { own: choice.slot, sure: choice };
    press();
    drawPrompt();
    parts.prompt.querySelector("button").focus({ preventScroll: true });
    actions.announce(`${asked(choice)} ${answers}`);
  }

  // Notes, on the cards of every hand

  const mayNote = () => typeof context.as === "number" && !context.past;

  function whereIs(place) {
    const seat = view.hands.findIndex((hand) => hand.some(({ card }) => card === place));
    return seat < 0 ? null : { seat, slot: view.hands[seat].findIndex(({ card }) => card === place) };
  }

  function cardName({ card }) {
    const { seat, slot } = whereIs(card);
    return seat === view.seat ? t("Your card {n}", { n: slot + 1 }) : t("{name}, card {n}", { name: context.names[seat], n: slot + 1 });
  }

  const noteButton = (card) => mayNote() && button(context.notes[card.card] ? t("Edit note") : t("Add note"), () => beginNote(card), { "data-key": "note" });

  function beginNote(card) {
    noting = { card: card.card, text: context.notes[card.card] ?? "" };
    drawPrompt();
    parts.prompt.querySelector("input").focus();
  }

  function noteForm() {
    const card = { card: noting.card };
    const shown = h("span", { class: "note", "aria-hidden": "true" }, drawnNote(noting.text));
    const text = h("input", {
      type: "text", maxlength: 120, class: "wide", "data-key": "note-text", "aria-label": t("Note on {card}", { card: cardName(card) }), placeholder: t("r3, p, t, cm, or any text"), autocomplete: "off", value: noting.text,
      oninput: () => { noting.text = text.value; redraw(shown, drawnNote(text.value)); },
      onkeydown: (event) => event.key === "Escape" && close(),
    });
    const close = () => { noting = null; drawPrompt(); focusCard(card); };
    const keepNote = (event) => { event.preventDefault(); noting = null; actions.note(card.card, text.value.trim()); drawPrompt(); focusCard(card); };
    return h("form", { class: "row", onsubmit: keepNote }, h("span", {}, cardName(card)), text, shown, h("button", { type: "submit", class: "primary" }, t("Save")),
      button(t("Cancel"), close, { class: "quiet", "data-key": "cancel-note" }));
  }

  // Drop targets of the viewer's own cards.
  function dropPlaces(element) {
    if (noting) return [];
    const slot = view.hands[view.seat]?.findIndex(({ card }) => String(card) === element.dataset.card);
    return [["play", ".piles", t("Play card {n}", { n: slot + 1 })], ["discard", ".discards", t("Discard card {n}", { n: slot + 1 })]].flatMap(([action, place, label]) => {
      const choice = choices(action).find((each) => each.slot === slot);
      return choice ? [{ place, label, drop: () => make(choice) }] : [];
    });
  }

  const focusCard = (card) => root.querySelector(`[data-card="${card.card}"]`)?.focus();

  function hintValues(seat) {
    const legal = hintsTo(seat);
    if (legal.length === 0) return [h("p", {}, view.tokens === 0 ? t("No hint tokens left.") : t("No hint is possible for {name}.", { name: context.names[seat] })), chosen.card && noteButton(chosen.card), button(t("Cancel"), cancel, { class: "quiet" })];
    const apt = (choice) => chosen.card?.kind && (choice.value === colourOf(chosen.card.kind) || choice.value === rankOf(chosen.card.kind));
    return [
      h("p", { class: "hint-for" }, t("Hint for {name}", { name: context.names[seat] })),
      h("div", { class: "values", role: "group", "aria-label": t("Hints for {name}", { name: context.names[seat] }) }, legal.map((choice) => h("button", {
        type: "button", class: `value ${COLOURS.includes(choice.value) ? choice.value : ""} ${apt(choice) ? "apt" : ""} ${chosen.value === choice.value ? "previewed" : ""}`,
        "data-key": `value-${choice.value}`,
        "aria-label": t("{value}: touches {cards}", { value: valueWords(choice.value), cards: slots(seat, choice.cards) }),
        onpointerenter: (event) => event.pointerType === "mouse" && light(choice.cards),
        onpointerleave: () => light(chosen?.value ? touched(seat, chosen.value) : null),
        onfocus: () => light(choice.cards),
        onclick: (event) => giveOrPreview(event, seat, choice),
      }, COLOURS.includes(choice.value) ? sign(choice.value) : choice.value))),
      chosen.value && button(t("Hint {value}", { value: valueWords(chosen.value) }), () => make(legal.find((choice) => choice.value === chosen.value)), { class: "primary", "data-key": "give" }),
      chosen.card && !chosen.value && noteButton(chosen.card),
      button(t("Cancel"), cancel, { class: "quiet", "data-key": "cancel" }),
    ];
  }

  // Touch has no hover: the first tap shows what a hint would touch, the second gives it.
  function giveOrPreview(event, seat, choice) {
    if (event.pointerType !== "touch" || chosen.value === choice.value) return make(choice);
    preview(seat, choice.value);
  }

  function preview(seat, value) {
    chosen = { ...chosen, ask: undefined, hint: seat, value };
    actions.announce(t("{value} to {name} touches {cards}.", { value: valueWords(value), name: context.names[seat], cards: slots(seat, touched(seat, value)) }));
    drawPrompt();
  }

  const touched = (seat, value) => hintsTo(seat).find((choice) => choice.value === value)?.cards ?? [];
  function slots(seat, cards) {
    const numbers = cards.map((card) => view.hands[seat].findIndex((each) => each.card === card) + 1);
    return numbers.length === 0 ? t("no card") : tn(numbers.length, "card {cards}", "cards {cards}", { cards: numbers.join(", ") });
  }

  function make(choice) {
    if (!choice) return;
    chosen = null;
    light(null);
    actions.move(choice.move);
  }

  function cancel() {
    const slot = chosen?.own;
    chosen = noting = null;
    press();
    drawPrompt();
    if (slot !== undefined && view.seat !== null) focusCard(view.hands[view.seat][slot]);
  }

  // Highlights: cards a hint touches or has just touched, the pile or discard that the history points at.

  const recent = () => (context?.event?.action === "hint" ? context.event.cards : null);

  function light(cards, where = null) {
    const lit = new Set(cards ?? []);
    for (const element of root.querySelectorAll("[data-card]")) element.classList.toggle("lit", lit.has(Number(element.dataset.card)));
    arrows.show(null);
    for (const element of root.querySelectorAll("[data-pile], [data-discard]")) element.classList.toggle("lit", Boolean(where) && (element.dataset.pile ?? element.dataset.discard) === where);
  }

  function lightRecent() {
    light(recent());
    if (recent()) arrows.show(context.event);
  }

  // The last move, for the sentence above the action bar.
  function describe(event) {
    if (event.action === "hint") return { sign: COLOURS.includes(event.value) ? sign(event.value) : event.value, more: `: ${slots(event.target, event.cards)}` };
    if (event.misplayed) return { sign: "✗", mistake: true, more: `. ${t("{lives} of {most} lives left.", { lives: view.lives, most: view.most_lives })}` };
    return { sign: event.action === "play" ? "▲" : "▼" };
  }

  function highlight(event) {
    if (!event || !view) return lightRecent();
    if (event.action === "hint") {
      light(event.cards);
      return arrows.show(event);
    }
    if (event.action && event.cards) return light(event.cards); // a choice the kibitz panel points at
    light([], event.action === "play" && !event.misplayed ? colourOf(event.kind) : event.kind);
  }

  // Keys

  function key(event) {
    const pressed = event.key.toLowerCase();
    if (pressed === "e") {
      if (!event.repeat) empathy(view.hands.map((_, seat) => seat));
      return true;
    }
    if (event.key === "Escape" && chosen) return cancel(), true;
    if (event.key === "Enter" && chosen?.sure && !event.target.closest?.("button, a, summary")) return make(chosen.sure), true;
    if (event.key === "Enter" && chosen?.value && !event.target.closest?.("button, a")) return make(hintsTo(chosen.hint).find((choice) => choice.value === chosen.value)), true;
    const mine = view.seat !== null && view.seat !== undefined && !context.past;
    if (mayNote() && pressed === "n") {
      const card = root.contains(document.activeElement) && focused().dataset.card;
      return card ? (beginNote({ card: Number(card) }), true) : mine && ask("note");
    }
    if (!mine || context.choices.length === 0) return chosen?.ask === "note" && digit(pressed);
    if (chosen?.hint !== undefined) {
      const value = LETTERS[pressed] ?? Number(pressed);
      if (hintsTo(chosen.hint).some((choice) => choice.value === value)) {
        if (focused()?.closest(".board")) focused().blur();
        return preview(chosen.hint, value), true;
      }
    }
    if (pressed === "p") return ask("play");
    if (pressed === "d") return ask("discard");
    if (pressed === "h") {
      if (view.players === 2) chosen = { hint: 1 - view.seat };
      else chosen = { ask: "hint" };
      drawPrompt();
      actions.announce(view.players === 2 ? t("Which colour or rank?") : t("Hint which player?"));
      return true;
    }
    return digit(pressed);
  }

  function ask(what) {
    chosen = { ask: what };
    noting = null;
    press();
    drawPrompt();
    actions.announce(what === "discard" ? noDiscard() || WHICH.discard : WHICH[what]);
    return true;
  }

  function digit(pressed) {
    const number = Number(pressed) - 1;
    if (!/^[1-9]$/.test(pressed) || !chosen?.ask) return false;
    if (chosen.ask === "hint") {
      if (!others().includes(number)) return false;
      chosen = { hint: number };
      drawPrompt();
      actions.announce(t("Which colour or rank?"));
    } else if (chosen.ask === "note") {
      if (!view.hands[view.seat][number]) return false;
      chosen = { own: number };
      press();
      beginNote(view.hands[view.seat][number]);
    } else {
      confirm(choices(chosen.ask).find((choice) => choice.slot === number));
    }
    return true;
  }

  return {
    keys: KEYS,
    render,
    animate(event) {
      if (view && !reducedMotion()) pending = event;
    },
    highlight,
    describe,
    leave() {
      arrows.leave();
      drag.leave();
    },
    key,
    keyUp(event) {
      if (event.key.toLowerCase() === "e" || event.key === "") empathy([]);
    },
    odds: (odds) => oddsTable(odds),
  };
}

function oddsTable(odds) {
  const percent = (share) => `${Math.round(100 * share)} %`;
  const likeliest = (kinds) => Object.entries(kinds).sort((one, other) => other[1] - one[1]).slice(0, 3);
  return h("table", { class: "odds-table" },
    h("thead", {}, h("tr", {}, [t("card"), FLAGS.playable, FLAGS.useless, FLAGS.critical, t("most likely")].map((title) => h("th", { scope: "col" }, title)))),
    h("tbody", {}, odds.map((card) => h("tr", {},
      h("th", { scope: "row" }, card.slot + 1),
      ["playable", "useless", "critical"].map((what) => h("td", { class: `share ${what}`, style: { "--share": percent(card[what]).replace(" ", "") } }, percent(card[what]))),
      h("td", { class: "kinds" }, likeliest(card.kinds).map(([kind, share]) => h("span", { title: `${inWords(kind)}: ${percent(share)}` }, sign(colourOf(kind)), h("span", { class: "unseen" }, valueWords(colourOf(kind))), rankOf(kind))))))));
}
