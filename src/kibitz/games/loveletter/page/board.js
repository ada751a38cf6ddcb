// @ts-check
// The Love Letter board: the other players around the table, the viewer's two cards large below.

import { button, reducedMotion, h, redraw } from "/static/dom.js";
import { dragging } from "/static/drag.js";
import { boardFrame, nameOf as seatName, plate, waitingWords, yourTurn } from "/static/frame.js";
import { setting } from "/static/settings.js";
import { CARDS, COPIES, EFFECTS, letter, nameOfCard, numberOf, seal } from "./cards.js";
import { moveWords } from "/static/move_words.js";
import { listed, t, tn } from "/static/texts.js";

const KEYS = [
  ["1, 2", t("choose the left or right card")],
  [t("then a seat's number"), t("choose its target")],
  ["then 2 … 8", t("the card a Guard names")],
  ["Enter", t("play the chosen card; Esc cancels. With confirmation off, a Guard does not wait for it")],
];

export function mount(root, actions) {
  const frame = boardFrame(root, actions);
  const parts = { status: frame.status, others: h("div", { class: "others" }), story: h("div", { class: "story" }), mine: frame.own, prompt: frame.prompt };
  frame.field.append(parts.others, parts.story);

  const drag = dragging(root, ".own button.letter", dropPlaces);

  let view = null;
  let context = null;
  let chosen = null; // { slot, card, target, named }
  let pending = null;

  function render(newView, newContext) {
    const turned = !view || view.turn !== newView.turn || context.as !== newContext.as;
    const from = pending && place(pending.seat, ".held")?.getBoundingClientRect();
    view = newView;
    context = newContext;
    if (turned) {
      chosen = null;
      drag.cancel(); // its targets were for another turn
    }
    const me = view.seat ?? null;
    const around = me === null ? view.seats.map((_, seat) => seat) : view.seats.slice(1).map((_, step) => (me + 1 + step) % view.players);
    frame.update(context);
    redraw(parts.status, status());
    redraw(parts.others, around.map(seatAt));
    redraw(parts.story, lastRound());
    redraw(parts.mine, me === null ? null : seatAt(me));
    drawPrompt();
    highlight(null);
    if (from) lay(from, pending);
    pending = null;
  }

  const place = (seat, part) => root.querySelector(`[data-seat="${seat}"] ${part}`);
  const nameOf = (seat) => seatName(context, seat);

  // Drawing

  function status() {
    return [
      h("div", { class: "gauge" }, h("span", {}, view.one_round ? t("single round") : t("round {round}", { round: view.round })), !view.one_round && h("small", {}, t("{goal} tokens to win", { goal: view.goal }))),
      h("div", { class: "gauge deck", role: "img", "aria-label": t("{deck} cards in the deck", { deck: view.deck }) }, h("i", { class: "stack", "aria-hidden": "true" }), h("b", {}, view.deck), h("small", {}, t("in the deck"))),
      view.set_aside ? h("div", { class: "gauge" }, h("small", {}, t("set aside")), mini(view.set_aside)) : h("div", { class: "gauge" }, h("small", {}, t("one card set aside"))),
      view.face_up.length > 0 && h("div", { class: "gauge" }, h("small", {}, t("face up from the start")), view.face_up.map(mini)),
      h("ul", { class: "ledger", "aria-label": t("Cards not seen yet") }, CARDS.map((card) => {
        const left = view.unseen[card] ?? 0;
        return h("li", { class: left ? "" : "none", title: EFFECTS[card] }, seal(numberOf(card)), h("span", {}, nameOfCard(card)), h("span", { class: "left", role: "img", "aria-label": t("{left} of {copies} unseen", { left, copies: COPIES[card] }) }, "●".repeat(left) + "○".repeat(COPIES[card] - left)));
      })),
    ];
  }

  const mini = (card) => h("span", { class: "letter mini", role: "img", "aria-label": `${nameOfCard(card)}, ${numberOf(card)}`, title: `${nameOfCard(card)}: ${EFFECTS[card]}` }, letter(card, "mini"));

  function seatAt(seat) {
    const at = view.seats[seat];
    const mine = seat === view.seat;
    const acts = context.to_move === seat;
    return h("section", { class: `seat ${mine ? "own" : ""} ${acts ? "acts" : ""} ${at.out ? "out" : ""} ${at.protected ? "safe" : ""}`, data: { seat }, "aria-label": mine ? t("Your seat") : t("Seat of {name}", { name: nameOf(seat) }) },
      plate(context, seat, { mine, more: [
        at.out && h("span", { class: "badge gone" }, t("out of the round")),
        at.protected && h("span", { class: "badge" }, t("protected")),
        !view.one_round && h("span", { class: "tokens", role: "img", "aria-label": t("{tokens} of {goal} tokens", { tokens: view.tokens[seat], goal: view.goal }) }, Array.from({ length: view.goal }, (_, n) => h("i", { class: n < view.tokens[seat] ? "token" : "token none" })))] }),
      h("div", { class: "before" },
        h("div", { class: "held" }, at.cards.map((card, slot) => held(card, seat, slot)), at.out && !at.cards.length && h("span", { class: "muted-note" }, t("no card"))),
        h("div", { class: "laid", role: "group", "aria-label": t("Played by {name}, in order", { name: nameOf(seat) }) }, at.discards.length ? at.discards.map(mini) : h("span", { class: "muted-note" }, t("no cards played")))),
      knowledge(seat, at));
  }

  function held(card, seat, slot) {
    const mine = seat === view.seat && !context.past;
    const playable = mine && context.choices.some((choice) => choice.card === card);
    if (!mine) {
      const words = card ? t("{name} holds {card}, {number}", { name: nameOf(seat), card: nameOfCard(card), number: numberOf(card) }) : t("A card of {name}, face down", { name: nameOf(seat) });
      return h("span", { class: `letter small ${card ? "" : "down"} ${seat === view.seat ? "full" : ""}`, role: "img", "aria-label": words, title: card ? `${nameOfCard(card)}: ${EFFECTS[card]}` : null }, letter(card, seat === view.seat ? "full" : "small"));
    }
    return h("button", {
      type: "button", class: "letter full", "data-key": `hand-${slot}`, data: { slot }, disabled: context.choices.length > 0 && !playable,
      "aria-label": t("Your card {n}: {card}, {number}. {effect}", { n: slot + 1, card: nameOfCard(card), number: numberOf(card), effect: EFFECTS[card] }), "aria-pressed": context.choices.length ? String(chosen?.slot === slot) : null,
      onclick: () => pick(slot),
    }, letter(card, "full"));
  }

  function knowledge(seat, at) {
    const notes = [];
    if (seat === view.seat && at.known_to.length) notes.push(tn(at.known_to.length, "{names} knows your card.", "{names} know your card.", { names: listed(at.known_to.map(nameOf)) }));
    else if (seat !== view.seat && view.seat !== null && at.cards[0] && !at.out) notes.push(t("You have seen this card."));
    else if (at.ruled_out.length && !at.cards[0] && !at.out) notes.push(t("Not {cards}.", { cards: at.ruled_out.map(nameOfCard).join(", ") }));
    return notes.length ? h("p", { class: "known" }, notes) : null;
  }

  // The result of the last round, until everybody has moved again.
  function lastRound() {
    const last = view.rounds.at(-1);
    const over = view.to_move === null || view.to_move === undefined;
    if (!last || (!over && view.turn - last.last_turn >= view.players)) return null;
    const winners = last.winners.map(nameOf);
    const values = { names: listed(winners), round: last.number };
    const words = winners.length === 0 ? (view.one_round ? t("Nobody wins the round") : t("Nobody wins round {round}", values))
      : view.one_round ? tn(winners.length, "{names} wins the round", "{names} win the round", values)
      : tn(winners.length, "{names} wins round {round}", "{names} win round {round}", values);
    return h("div", { class: "round-over" },
      h("p", {}, h("strong", {}, words), last.decisive ? `: ${nameOfCard(last.decisive)}.` : `: ${t("the deck is empty and the highest card decides.")}`),
      h("div", { class: "shown" }, Object.entries(last.hands).map(([seat, card]) => h("span", { class: "shown-hand" }, t("{name} held", { name: nameOf(seat) }), mini(card)))));
  }

  // Choosing a move

  const legal = () => context.choices.filter((choice) => choice.card === chosen?.card);

  function pick(slot) {
    const card = view.seats[view.seat].cards[slot];
    if (context.choices.length === 0) return;
    chosen = chosen?.slot === slot ? null : { slot, card };
    const targets = new Set(legal().map((choice) => choice.target));
    if (chosen && targets.size === 1) chosen.target = [...targets][0];
    for (const element of root.querySelectorAll("[data-slot]")) element.setAttribute("aria-pressed", String(Number(element.dataset.slot) === chosen?.slot));
    if (chosen) actions.announce(`${card}. ${EFFECTS[card]}`);
    drawPrompt();
  }

  // Drop targets of a card: its target's seat, one's own played cards, or the middle of the table.
  function dropPlaces(element) {
    const slot = Number(element.dataset.slot);
    const card = view.seats[view.seat].cards[slot];
    const targets = [...new Set(context.choices.filter((choice) => choice.card === card).map((choice) => choice.target))];
    return targets.map((seat) => ({
      place: seat === null ? ".others" : seat === view.seat ? ".own .laid" : `[data-seat="${seat}"]`,
      label: seat === null ? t("Play {card}", { card: nameOfCard(card) }) : t("{card} on {name}", { card: nameOfCard(card), name: seat === view.seat ? t("yourself") : nameOf(seat) }),
      drop: () => dropped(slot, card, seat),
    }));
  }

  // The action bar asks the rest: the card a Guard names, and a confirmation for the Princess.
  function dropped(slot, card, target) {
    chosen = null;
    pick(slot);
    chosen.target = target;
    const moves = legal().filter((choice) => choice.target === target);
    if (moves.length === 1 && card !== "Princess") return make(moves[0]);
    drawPrompt();
    parts.prompt.querySelector("[data-first]")?.focus({ preventScroll: true });
  }

  function drawPrompt() {
    redraw(parts.prompt, prompt());
    const focus = parts.prompt.querySelector("[data-first]");
    if (focus && chosen && parts.mine.contains(document.activeElement)) focus.focus({ preventScroll: true });
  }

  function prompt() {
    if (context.choices.length === 0) return waitingWords(context);
    if (!chosen) return yourTurn(t("Choose a card to play."));
    const moves = legal();
    const cancel = button(t("Cancel"), takeBack, { class: "quiet", "data-key": "cancel" });
    if (chosen.target === undefined) {
      const targets = [...new Set(moves.map((choice) => choice.target))];
      return [h("p", {}, t("Play {card} on which player?", { card: nameOfCard(chosen.card) })), targets.map((seat, index) => button(`${seat + 1} ${seat === view.seat ? t("yourself") : nameOf(seat)}`, () => aim(seat), { "data-key": `on-${seat}`, "data-first": index === 0 })), cancel];
    }
    const aimed = moves.filter((choice) => choice.target === chosen.target && (!chosen.named || choice.named === chosen.named));
    if (aimed.length > 1) {
      return [h("p", {}, t("Which card does {name} hold?", { name: nameOf(chosen.target) })), h("div", { class: "names" }, aimed.map((choice, index) => h("button", {
        type: "button", class: "name-card", "data-key": `name-${choice.named}`, "data-first": index === 0, onclick: () => make(choice),
      }, seal(numberOf(choice.named)), nameOfCard(choice.named)))), cancel];
    }
    const warning = chosen.card === "Princess" ? ` ${t("You will be out of the round.")}` : "";
    const nothing = chosen.target === null && ["Guard", "Priest", "Baron", "King"].includes(chosen.card) ? ` ${t("Everybody is protected, so it has no effect.")}` : "";
    return [h("p", {}, chosen.named ? t("Enter confirms, Esc cancels.") : `${EFFECTS[chosen.card]}${warning}${nothing}`), button(t("Play {card}", { card: moveWords(null, chosen, context) }), () => make(aimed[0]), { class: "primary", "data-key": "play", "data-first": true }), cancel];
  }

  function aim(seat) {
    chosen = { ...chosen, target: seat };
    drawPrompt();
    parts.prompt.querySelector("[data-first]")?.focus({ preventScroll: true });
  }

  // Keys are easily pressed by mistake: confirm their moves.
  function name(choice) {
    if (!choice || !setting("confirm")) return make(choice);
    chosen = { ...chosen, named: choice.named };
    drawPrompt();
    parts.prompt.querySelector("[data-first]")?.focus({ preventScroll: true });
    actions.announce(`${moveWords(null, choice, context)}? ${t("Enter confirms, Esc cancels.")}`);
  }

  function takeBack() {
    const slot = chosen?.slot;
    chosen = null;
    for (const element of root.querySelectorAll("[data-slot]")) element.setAttribute("aria-pressed", "false");
    drawPrompt();
    root.querySelector(`[data-slot="${slot}"]`)?.focus();
  }

  function make(choice) {
    if (!choice) return;
    chosen = null;
    actions.move(choice.move);
  }

  function key(event) {
    if (context.choices.length === 0) return false;
    if (event.key === "Escape" && chosen) return takeBack(), true;
    if (event.key === "Enter" && chosen && !event.target.closest?.("button, a, summary")) {
      const moves = legal().filter((choice) => (chosen.target === undefined || choice.target === chosen.target) && (!chosen.named || choice.named === chosen.named));
      if (moves.length === 1) make(moves[0]);
      return true;
    }
    if (!/^[1-9]$/.test(event.key)) return false;
    const number = Number(event.key);
    if (!chosen) {
      const card = view.seats[view.seat].cards[number - 1];
      if (!context.choices.some((choice) => choice.card === card)) return false;
      pick(number - 1);
    } else if (chosen.target === undefined) {
      if (!legal().some((choice) => choice.target === number - 1)) return false;
      aim(number - 1);
    } else name(legal().find((choice) => choice.target === chosen.target && choice.named === CARDS[number - 1]));
    return true;
  }

  // Animation, and what the history points at

  function lay(from, event) {
    const card = place(event.seat, ".laid")?.lastElementChild;
    if (!card || event.round_over || !card.classList.contains("letter")) return;
    const to = card.getBoundingClientRect();
    card.animate([{ transform: `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(1.8)`, opacity: 0.4 }, { transform: "none", opacity: 1 }], { duration: 480, easing: "cubic-bezier(.2, .8, .2, 1)" });
    if (event.target !== null && event.target !== undefined && event.target !== event.seat) {
      root.querySelector(`[data-seat="${event.target}"]`)?.animate([{ transform: "none" }, { transform: "scale(1.02)" }, { transform: "none" }], { duration: 500 });
    }
  }

  function highlight(event) {
    const lit = event ?? context.event;
    for (const element of root.querySelectorAll("[data-seat]")) {
      const seat = Number(element.dataset.seat);
      element.classList.toggle("lit", Boolean(event) && (seat === event.seat || seat === event.target));
      element.classList.toggle("aimed", !event && Boolean(lit) && !lit.round_over && seat === lit.target);
    }
  }

  return {
    keys: KEYS,
    render,
    animate(event) {
      if (view && !reducedMotion()) pending = event;
    },
    highlight: (event) => view && highlight(event),
    describe: (event) => ({ sign: seal(numberOf(event.card)) }),
    key,
    leave: drag.leave,
    odds: (odds) => oddsTable(odds, nameOf),
  };
}

function oddsTable(odds, nameOf) {
  const percent = (share) => (share ? `${Math.round(100 * share)} %` : "–");
  return h("table", { class: "love-odds" },
    h("caption", {}, t("Probability of each card")),
    h("thead", {}, h("tr", {}, h("td", {}), odds.map(({ seat }) => h("th", { scope: "col" }, nameOf(seat))))),
    h("tbody", {}, CARDS.map((card) => h("tr", {}, h("th", { scope: "row" }, `${numberOf(card)} ${card}`), odds.map(({ cards }) =>
      h("td", { style: { "--share": `${Math.round(100 * (cards[card] ?? 0))}%` } }, percent(cards[card])))))));
}
