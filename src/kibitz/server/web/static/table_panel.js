// @ts-check
// The table panel: seats, invitations, substitutes, and the bots' delay.

import { button, copyText, h, icon, options, redraw } from "./dom.js";
import { knownDeal } from "./known_deal.js";
import { botTitle, levelAgents, houseRules } from "./names.js";
import { sidePanel } from "./side.js";
import { spectatorsPanel } from "./spectators.js";
import * as storage from "./storage.js";
import { localized, t } from "./texts.js";

const PACES = [0, 250, 700, 1500, 3000];

export function tablePanel(at, shell, requests) {
  const content = h("div", {});
  // Not redrawn: an open list would close with every move.
  const agent = h("select", { id: "stand-in", onchange: () => { chosen = agent.value; explain(); } });
  const about = h("p", { class: "muted small", id: "stand-in-about" });
  const standIn = h("div", { class: "stand-in", hidden: true }, h("label", { for: "stand-in" }, t("Substitute bot")), agent, about);
  agent.setAttribute("aria-describedby", about.id);
  const spectators = spectatorsPanel(at, requests);
  const ending = h("div", {});
  let chosen = null; // by hand; otherwise one of the table's level
  let offered = null;
  const side = sidePanel("around", t("Table"), content, standIn, spectators.element, ending);

  function offerStandIn(wanted) {
    const usual = at.message.options?.stand_in;
    standIn.hidden = !wanted || !usual;
    if (standIn.hidden || offered === usual) return;
    offered = usual;
    const agents = at.game?.agents.filter((each) => !each.traits.includes("cheats")).map((each) => each.name) ?? [];
    options(agent, (agents.includes(usual) ? agents : [usual, ...agents]).map((name) => [name, botTitle(name, at.message.game)]), chosen ?? usual);
    explain();
  }

  function explain() {
    const level = at.game?.levels.find((each) => levelAgents(each, at.message.seats.length).includes(agent.value))?.name;
    const bot = at.message.seats.some((seat) => seat.kind === "bot" && !seat.for && seat.agent === agent.value);
    about.textContent = [bot ? t("already plays at this table") : agent.value === offered && t("default where only people play"), level && t("level: {level}", { level: localized(level) })].filter(Boolean).join(" · ");
  }

  const sitsIn = () => (standIn.hidden ? undefined : agent.value);

  function seatLine(seat, index) {
    const { message } = at;
    const mine = index === message.as;
    const turn = message.state === "running" && message.to_move === index;
    const invitation = invitations().find((each) => each.seat === index);
    const says = message.options?.analysis_board ? "" : seat.reserved ? (seat.declined ? t("declined") : t("invited")) : seat.kind === "open" ? t("waiting") : seat.kind === "bot" ? (seat.for ? t("substitute") : t("bot")) : seat.kind === "absent" ? t("absent") : seat.connected === false ? t("away") : mine ? t("you") : seat.program ? t("program") : t("here");
    return h("li", { class: turn ? "turn" : "" },
      h("span", { class: `dot ${seat.kind === "person" && seat.connected === false ? "away" : seat.kind}`, "aria-hidden": "true" }),
      h("span", { class: "seat-name" }, at.names[index]),
      h("span", { class: "muted small" }, says),
      h("span", { class: "grow" }),
      invitation && button(t("Copy invitation"), () => copyText(link(invitation), t("Invitation link")), { "data-key": `invite-${index}` }),
      invitation && shell.connection.programs && button(t("Invite a bot"), () => copyText(command(invitation), t("Command that seats a bot")), {
        "data-key": `invite-bot-${index}`, title: t("Copy a command that seats your own bot; any program can use its address"),
      }),
      (seat.kind === "open" || (seat.kind === "person" && seat.connected === false)) && typeof message.as === "number" && message.state !== "finished"
        && button(t("Let a bot play"), () => requests.send({ type: "stand_in", seat: index, agent: sitsIn() }), { "data-key": `stand-in-${index}` }),
      seat.reserved && typeof message.as === "number" && button(t("Open to others"), () => requests.send({ type: "open_seat", seat: index }), { "data-key": `open-${index}` }));
  }

  const invitations = () => at.message.options?.invitations ?? known().filter((each) => at.message.seats[each.seat]?.kind === "open");
  const known = () => (at.invitations.length ? at.invitations : storage.seat(at.table)?.invitations ?? []); // tables of earlier versions
  const command = (invitation) => `kibitz join ${location.hostname}:${shell.connection.programs}/${at.table}/${invitation.invitation} --game ${at.message.game} --as ${strongest()}`; // eslint-disable-line texts/translated
  const strongest = () => at.game?.levels?.at(-1)?.agents[0] ?? "AGENT";
  const link = (invitation) => `${location.origin}/#/join/${at.table}/${invitation.invitation}`;

  // Whether anyone may take the open seats, or only invited people.
  function joinableRow() {
    const { options = {}, state, seats } = at.message;
    if (!options.host || knownDeal(options) || state !== "waiting" || !seats.some((seat) => seat.kind === "open")) return null;
    const box = h("input", { type: "checkbox", "data-key": "joinable", onchange: () => requests.send({ type: "joinable", on: box.checked }) });
    box.checked = Boolean(options.joinable);
    return h("label", { class: "check small" }, box, ` ${t("Anyone may join from the lobby")}`);
  }

  function paceRow() {
    const { options = {}, state } = at.message;
    if (!options.host || state === "finished" || !at.message.seats.some((seat) => seat.kind === "bot")) return null;
    const slider = h("input", {
      type: "range", min: 0, max: PACES.length - 1, step: 1, "data-key": "pace", id: "pace",
      oninput: () => requests.send({ type: "bot_delay", milliseconds: PACES[slider.value] }),
    });
    slider.value = String(nearest(options.bot_delay ?? 0));
    const words = t("{seconds} s per move", { seconds: ((options.bot_delay ?? 0) / 1000).toFixed(1) });
    slider.setAttribute("aria-valuetext", words);
    return h("div", { class: "pace" },
      button([icon(options.paused ? "play" : "pause"), options.paused ? t("Resume") : t("Pause")], () => requests.send({ type: "bot_delay", paused: !options.paused }), { "data-key": "pause" }),
      button(t("Step"), () => requests.send({ type: "bot_delay", step: true }), { "data-key": "step", disabled: !options.paused }),
      h("label", { for: "pace", class: "unseen" }, t("Bot delay per move")), slider, h("span", { class: "muted small" }, words));
  }

  const nearest = (pace) => PACES.reduce((best, each, index) => (Math.abs(each - pace) < Math.abs(PACES[best] - pace) ? index : best), 0);

  // The table's creator can delete it, unless others still play there.
  function deleteRow() {
    const { message } = at;
    const others = !message.options?.analysis_board && message.seats.some((seat, index) => seat.kind === "person" && index !== message.as);
    if (!storage.seat(at.table)?.host || (message.state === "running" && others)) return null;
    if (!sure) return button(t("Delete this table …"), () => { sure = true; panel.update(); }, { "data-key": "delete" });
    return h("div", { class: "row" },
      h("span", { class: "small" }, t("Delete it permanently?")),
      button("Delete", () => requests.send({ type: "delete" }), { class: "danger", "data-key": "delete-sure" }),
      button(t("Cancel"), () => { sure = false; panel.update(); }, { "data-key": "delete-keep" }));
  }

  let sure = false;
  const panel = {
    panel: side,
    update() {
      const { message } = at;
      if (!message) return;
      const mine = typeof message.as === "number";
      const gaveUp = mine && message.seats[message.as]?.kind === "bot";
      const playing = message.state === "running" || message.state === "waiting";
      const details = [
        ...houseRules(at.game, message.options?.rules).map(({ title, choice }) => `${title}: ${choice.toLowerCase()}`),
        message.options?.seed_by !== undefined ? knownDeal(message.options) : message.options?.seed !== undefined && t("seed {seed}", { seed: message.options.seed }),
      ].filter(Boolean);
      redraw(content,
        h("ol", { class: "seats" }, message.seats.map(seatLine)),
        details.length > 0 && h("p", { class: "muted small" }, details.join(" · ")),
        joinableRow(),
        paceRow(),
        playing && mine && !message.options?.analysis_board && h("div", { class: "row" },
          gaveUp ? message.state === "waiting" && button(t("Take my seat back"), () => requests.send({ type: "reclaim_seat" }), { "data-key": "retake" })
            : button(t("Let a bot play for me"), () => requests.send({ type: "hand_to_bot", agent: sitsIn() }), { "data-key": "give-up" })));
      spectators.update();
      redraw(ending, deleteRow());
      const away = message.seats.some((seat) => seat.kind === "open" || (seat.kind === "person" && seat.connected === false));
      offerStandIn(playing && mine && (!gaveUp || away));
    },
  };
  return panel;
}
