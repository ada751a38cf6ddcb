// Bots and rules in words for people: what they are called, how strong a bot is, and which rules are not the usual ones.

import { h, redraw } from "./dom.js";

let games = [];

// The catalogue tells what everything is called.
export function setCatalogue(catalogue) {
  games = catalogue ?? [];
}

const agentNamed = (name, game) => (game ? games.filter((each) => each.name === game) : games).flatMap((each) => each.agents).find((agent) => agent.name === name);

// What people call a bot; one that is not installed here keeps the name it came with.
export const botTitle = (name, game) => agentNamed(name, game)?.title ?? name;

// Who is in a seat, by its message. Lists kept by older servers, and records, name bots as commands do.
export function holderName(seat) {
  const name = seat.name || seat.agent;
  return seat.kind === "absent" || seat.name === seat.agent ? botTitle(name) : name;
}

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
export const inWords = (number) => NUMBERS[number] ?? String(number);
const hundredth = (share) => Math.round(100 * share);

// How strong a bot is, in a few words for a list.
export function strength(agent, players, game) {
  const score = agent.scores?.[players];
  if (!score) return "";
  return game.best ? `${score.mean.toFixed(0)} of ${game.best} points` : `wins ${hundredth(score.mean)} %`;
}

// The same as a sentence that says what was measured.
export function strengthSentence(agent, players, game) {
  const score = agent.scores?.[players];
  if (!score) return "";
  if (game.best) return `Average with ${inWords(players)} players, all of them this bot: ${score.mean.toFixed(1)} of ${game.best} points.`;
  const other = botTitle(score.against, game.name);
  const even = hundredth(1 / players);
  return `With ${inWords(players)} players it wins ${hundredth(score.mean)} % of games against ${other}; an equal player would win ${even} %.`;
}

// The bots of a level at a table of so many.
export const levelAgents = (level, players) => level?.at?.[players] ?? level?.agents ?? [];

// Rules

export const ruleWords = (rule, choice) => rule.words?.[choice] ?? { title: choice, about: "" };

// The rules of a table that are not the usual ones: what they are about, and how they are played here.
export function houseRules(game, rules, usual = "usual") {
  return (game?.rules ?? []).filter((rule) => rules?.[rule.name] !== undefined && rules[rule.name] !== rule[usual])
    .map((rule) => ({ title: rule.title, ...words(rule, rules[rule.name]) }));
}

function words(rule, choice) {
  const { title, about } = ruleWords(rule, choice);
  return { choice: title, about };
}

// A list for each rule of a game, with a line on what the choice means; `read` answers the choices.
export function ruleFields(game, chosen, field, usual = "usual", mark = " (usual)") {
  const rows = game.rules.map((rule) => {
    const select = h("select", { onchange: describe });
    for (const choice of rule.choices) {
      select.append(h("option", { value: choice }, ruleWords(rule, choice).title + (choice === rule[usual] ? mark : "")));
    }
    select.value = rule.choices.includes(chosen?.(rule)) ? chosen(rule) : rule[usual];
    const row = field(rule.title, select, "…");
    const line = row.querySelector("small");
    line.setAttribute("aria-live", "polite");
    function describe() {
      line.textContent = ruleWords(rule, select.value).about;
    }
    describe();
    return { rule, select, row };
  });
  return {
    rows: rows.map(({ row }) => row),
    read: () => Object.fromEntries(rows.map(({ rule, select }) => [rule.name, select.value])),
  };
}

// What stands at the head of a table that is not played by the usual rules; it stays open while the table goes on.
export function rulesNote() {
  const list = h("ul", {});
  const element = h("details", { class: "rules-note", hidden: true }, h("summary", { class: "tag" }, "House rules"), list);
  let shown = "";
  return {
    element,
    update(game, rules) {
      const others = houseRules(game, rules);
      const now = JSON.stringify(others);
      if (now === shown) return;
      shown = now;
      element.hidden = others.length === 0;
      redraw(list, others.map(({ title, choice, about }) => h("li", {}, h("strong", {}, `${title}: `), `${choice}. `, h("span", { class: "muted" }, about))));
    },
  };
}
