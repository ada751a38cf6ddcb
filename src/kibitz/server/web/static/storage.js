// @ts-check
// Browser storage: the visitor's name, theme and choices, and keys to seats and laboratory runs.

const KEPT_SEATS = 200;
const KEPT_RUNS = 200;

function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`kibitz.${key}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(`kibitz.${key}`, JSON.stringify(value));
  } catch {
    // Without storage a visitor can play, but not return to a seat.
  }
}

export const name = () => read("name", "");
export const setName = (text) => write("name", text.slice(0, 40));

export const theme = () => read("theme", "auto");
export const setTheme = (value) => write("theme", value);

export const choice = (what, otherwise) => read(`choice.${what}`, otherwise);
export const setChoice = (what, value) => write(`choice.${what}`, value);

export const seat = (table) => read("seats", {})[table];

// Tables where this browser holds a seat or that it created, newest first.
export const seats = () => byTime(read("seats", {}));
const byTime = (seats) => Object.entries(seats).sort((one, other) => other[1].at - one[1].at);

export function setSeat(table, held) {
  const seats = read("seats", {});
  seats[table] = { ...seats[table], ...held, at: Date.now() };
  write("seats", Object.fromEntries(byTime(seats).slice(0, KEPT_SEATS)));
}

export const run = (id) => read("runs", {})[id]; // the key to a laboratory run started here

export function setRun(id, token) {
  const runs = Object.entries({ ...read("runs", {}), [id]: token });
  write("runs", Object.fromEntries(runs.slice(-KEPT_RUNS)));
}

export function forgetSeat(table) {
  const seats = read("seats", {});
  delete seats[table];
  write("seats", seats);
}
