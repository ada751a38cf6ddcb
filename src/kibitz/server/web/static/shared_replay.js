// Replays together: one leads, and the pages of the others follow until they look by themselves.

import { announce, button, h, redraw, toast } from "./dom.js";

const APART = 120; // milliseconds between two words about where the leader looks

export function sharedReplay(at, talk, replay, light) {
  const element = h("div", { class: "shared-replay" });
  let lead = null; // what was last heard of it
  let mine = null; // the key to one's own lead, and by which name, to go on after a broken connection
  let following = true;
  let pointed = null; // the move that one points at, as the leader
  let sent = 0; // when it was last told where one looks
  let due = null;

  const free = () => at.message && (at.message.state === "finished" || at.message.state === "abandoned" || at.message.options?.open);
  const place = () => ({ turn: at.past?.turn ?? at.message.turn, as: at.past?.as ?? (at.message.options?.analysis_board ? "open" : at.message.as) });
  const ask = (message) => talk.ask({ type: "replay_leader", ...message }).catch((error) => error.code !== "broken" && toast(error.message, "error"));

  function tell() {
    clearTimeout(due);
    due = null;
    if (!lead?.leading) return;
    sent = performance.now();
    talk.tell({ type: "replay_cursor", ...place(), event: pointed?.turn });
  }

  function tellSoon() {
    if (lead?.leading) due ??= setTimeout(tell, Math.max(0, sent + APART - performance.now()));
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
    ask({}).then(tellSoon);
  }

  function end() {
    mine = null;
    ask({ on: false });
  }

  function words() {
    if (lead.leading) return "You lead the replay.";
    if (lead.away) return `${lead.leader} led the replay and is away.`;
    return following ? `You follow ${lead.leader}.` : `${lead.leader} leads the replay.`;
  }

  function update() {
    if (!free()) return redraw(element);
    if (!lead?.leader) return redraw(element, h("div", { class: "row" }, button("Lead the replay", take, { "data-key": "lead", class: "quiet", title: "Everybody who looks at this table sees what you look at, if they like" })));
    redraw(element, h("div", { class: "row led" },
      h("p", {}, words()),
      h("span", { class: "grow" }),
      lead.leading && (lead.requests ?? []).map(({ number, name }) => button(`Hand over to ${name}`, () => ask({ to: number }), { "data-key": `hand-${number}` })),
      lead.leading && button("End the lead", end, { "data-key": "end-lead" }),
      !lead.leading && lead.analysis_board && lead.analysis_board !== at.table && h("a", { class: "button", href: `#/table/${lead.analysis_board}`, "data-key": "line" }, "To the free line"),
      !lead.leading && !lead.away && (following
        ? button("Look by myself", () => setFollowing(false), { "data-key": "by-myself" })
        : button(`Follow ${lead.leader}`, () => setFollowing(true), { class: "primary", "data-key": "follow" })),
      !lead.leading && (lead.away ? button("Lead the replay", take, { "data-key": "lead" }) : button("Ask for the lead", () => ask({}), { class: "quiet", "data-key": "ask-lead" }))));
  }

  return {
    element,
    update,
    // The table is told anew: whoever leads is told after it.
    begin() {
      lead = null;
    },
    hear(message) {
      const before = lead;
      lead = message.leader ? message : null;
      if (lead?.leading) mine = { key: lead.key, name: lead.leader };
      else if (before?.leading) mine = null; // it was handed over
      else if (mine && lead?.leader === mine.name) return ask({ key: mine.key }); // back on another connection
      if (lead?.leading && !before?.leading) tellSoon();
      const asks = lead?.requests?.at(-1);
      if (asks && asks.number !== before?.requests?.at(-1)?.number) announce(`${asks.name} asks for the lead.`);
      if (lead?.leader !== before?.leader) {
        if (lead && !lead.leading) following = true;
        if (lead || before) announce(lead ? words() : "Nobody leads the replay any more.");
      }
      follow();
      if (at.message) update();
    },
    // One looks at another turn, or from another seat, than before.
    moved() {
      if (lead?.leading) return tellSoon();
      const { turn, as } = place();
      if (lead?.leader && following && (turn !== lead.turn || as !== lead.as)) following = false;
    },
    point(event) {
      pointed = event;
      tellSoon();
    },
    leave() {
      clearTimeout(due);
      if (lead?.leading && !lead.analysis_board) talk.tell({ type: "replay_leader", on: false });
    },
  };
}
