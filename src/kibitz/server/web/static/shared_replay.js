// @ts-check
// Shared replays: one person leads, and the others' pages follow until they stop following.

import "./more_texts.js";
import { announce, button, h, redraw, toast } from "./dom.js";
import { t } from "./texts.js";

const APART = 120; // milliseconds between position updates

export function sharedReplay(at, requests, replay, light) {
  const element = h("div", { class: "shared-replay" });
  let lead = null; // the last message about it
  let mine = null; // the key and name of the visitor's own lead, to resume it after reconnecting
  let following = true;
  let pointed = null; // the move the leader points at
  let sent = 0; // time of the last position update
  let due = null;

  const free = () => at.message && (at.message.state === "finished" || at.message.state === "abandoned" || at.message.options?.open);
  const place = () => ({ turn: at.past?.turn ?? at.message.turn, as: at.past?.as ?? (at.message.options?.analysis_board ? "open" : at.message.as) });
  const ask = (message) => requests.ask({ type: "replay_leader", ...message }).catch((error) => error.code !== "broken" && toast(error.message, "error"));

  function sendPosition() {
    clearTimeout(due);
    due = null;
    if (!lead?.leading) return;
    sent = performance.now();
    requests.send({ type: "replay_cursor", ...place(), event: pointed?.turn });
  }

  function sendPositionSoon() {
    if (lead?.leading) due ??= setTimeout(sendPosition, Math.max(0, sent + APART - performance.now()));
  }

  function follow() {
    if (!following || !lead?.leader || lead.leading) return;
    const { turn, as } = place();
    if (turn !== lead.turn || as !== lead.as) replay.go(lead.turn, lead.as);
    light(lead.event ? at.events[lead.event - 1] : null);
  }

  function setFollowing(value) {
    following = value;
    follow();
    update();
  }

  function take() {
    following = true;
    ask({}).then(sendPositionSoon);
  }

  function end() {
    mine = null;
    ask({ on: false });
  }

  function words() {
    if (lead.leading) return t("You lead the replay.");
    if (lead.away) return t("{leader} led the replay and is away.", { leader: lead.leader });
    return following ? t("You follow {leader}.", { leader: lead.leader }) : t("{leader} leads the replay.", { leader: lead.leader });
  }

  function update() {
    if (!free()) return redraw(element);
    if (!lead?.leader) return redraw(element, h("div", { class: "row" }, button(t("Lead the replay"), take, { "data-key": "lead", class: "quiet", title: t("Everybody at this table can follow what you look at") })));
    redraw(element, h("div", { class: "row led" },
      h("p", {}, words()),
      h("span", { class: "grow" }),
      lead.leading && (lead.requests ?? []).map(({ number, name }) => button(t("Pass the lead to {name}", { name }), () => ask({ to: number }), { "data-key": `hand-${number}` })),
      lead.leading && button(t("Stop leading"), end, { "data-key": "end-lead" }),
      !lead.leading && lead.analysis_board && lead.analysis_board !== at.table && h("a", { class: "button", href: `#/table/${lead.analysis_board}`, "data-key": "line" }, t("Go to the analysis board")),
      !lead.leading && !lead.away && (following
        ? button(t("Stop following"), () => setFollowing(false), { "data-key": "by-myself" })
        : button(t("Follow {leader}", { leader: lead.leader }), () => setFollowing(true), { class: "primary", "data-key": "follow" })),
      !lead.leading && (lead.away ? button(t("Lead the replay"), take, { "data-key": "lead" }) : button(t("Ask for the lead"), () => ask({}), { class: "quiet", "data-key": "ask-lead" }))));
  }

  return {
    element,
    update,
    // The table is sent again, followed by its leader.
    begin() {
      lead = null;
    },
    hear(message) {
      const before = lead;
      lead = message.leader ? message : null;
      if (lead?.leading) mine = { key: lead.key, name: lead.leader };
      else if (before?.leading) mine = null; // it was passed on
      else if (mine && lead?.leader === mine.name) return ask({ key: mine.key }); // back on another connection
      if (lead?.leading && !before?.leading) sendPositionSoon();
      const asks = lead?.requests?.at(-1);
      if (asks && asks.number !== before?.requests?.at(-1)?.number) announce(t("{name} asks for the lead.", { name: asks.name }));
      if (lead?.leader !== before?.leader) {
        if (lead && !lead.leading) following = true;
        if (lead || before) announce(lead ? words() : t("Nobody is leading the replay now."));
      }
      follow();
      if (at.message) update();
    },
    // The viewer changed the turn or the viewpoint.
    moved() {
      if (lead?.leading) return sendPositionSoon();
      const { turn, as } = place();
      if (lead?.leader && following && (turn !== lead.turn || as !== lead.as)) following = false;
    },
    point(event) {
      pointed = event;
      sendPositionSoon();
    },
    leave() {
      clearTimeout(due);
      if (lead?.leading && !lead.analysis_board) requests.send({ type: "replay_leader", on: false });
    },
  };
}
