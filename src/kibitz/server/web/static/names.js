// @ts-check
// Display names of bots and rules, bots' strength in words, and rules that differ from the defaults.

import { h, redraw } from "./dom.js";

let games = [];

// The catalogue has all display names.
export function setCatalogue(catalogue) {
  games = catalogue ?? [];
}

const agentNamed = (name, game) => (game ? games.filter((each) => each.name === game) : games).flatMap((each) => each.agents).find((agent) => agent.name === name);

// A bot's title, or its name if it is not installed here.
export const botTitle = (name, game) => agentNamed(name, game)?.title ?? name;

// The name shown for a seat. Lists of older servers and records use command-line names of bots.
export function holderName(seat) {
  const name = seat.name || seat.agent;
  return seat.kind === "absent" || seat.name === seat.agent ? botTitle(name) : name;
}

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
export const inWords = (number) => NUMBERS[number] ?? String(number);
const hundredth = (share) => Math.round(100 * share);

// A bot's strength in a few words, for a list.
export function strength(agent, players, game) {
  const score = agent.scores?.[players];
  if (!score) return "";
  return game.best ? `${score.mean.toFixed(0)} of ${game.best} points` : `wins ${hundredth(score.mean)} %`;
}

// A bot's strength as a sentence that says what was measured.
export function strengthSentence(agent, players, game) {
  const score = agent.scores?.[players];
  if (!score) return "";
  if (game.best) return `Average with ${inWords(players)} players, all of them this bot: ${score.mean.toFixed(1)} of ${game.best} points.`;
  const other = botTitle(score.against, game.name);
  const even = hundredth(1 / players);
  return `With ${inWords(players)} players it wins ${hundredth(score.mean)} % of games against ${other}; an equal player would win ${even} %.`;
}

// The bots of a level for a number of players.
export const levelAgents = (level, players) => level?.at?.[players] ?? level?.agents ?? [];

// Rules

export const ruleWords = (rule, choice) => rule.words?.[choice] ?? { title: choice, about: "" };

// The rules of a table that differ from the defaults, with their titles and choices.
export function houseRules(game, rules, usual = "usual") {
  return (game?.rules ?? []).filter((rule) => rules?.[rule.name] !== undefined && rules[rule.name] !== rule[usual])
    .map((rule) => ({ title: rule.title, ...words(rule, rules[rule.name]) }));
}

function words(rule, choice) {
  const { title, about } = ruleWords(rule, choice);
  return { choice: title, about };
}

// A select for each rule of a game, with an explanation of the choice; `read` returns the choices.
export function ruleFields(game, chosen, field, usual = "usual", mark = " (usual)") {
  const rows = game.rules.map((rule) => {
    const select = h("select", { onchange: () => { describe(); follow(rule, select.value); } });
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
    return { rule, select, row, describe };
  });
  // A rule whose default depends on the choice of another takes that default when the other changes.
  function follow(changed, choice) {
    for (const { rule, select, describe } of rows) {
      const fitting = Object.entries(rule.defaults ?? {}).filter(([given]) => given.startsWith(`${changed.name}=`));
      if (fitting.length === 0) continue;
      select.value = rule.defaults[`${changed.name}=${choice}`] ?? rule[usual];
      describe();
    }
  }
  return {
    rows: rows.map(({ row }) => row),
    read: () => Object.fromEntries(rows.map(({ rule, select }) => [rule.name, select.value])),
  };
}

// The list of house rules at the head of a table; it stays open across redraws.
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
