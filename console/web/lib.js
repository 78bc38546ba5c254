// What all pages use: requests, jobs, elements, and the state that they share.

let token = sessionStorage.getItem("token") || "";

// The address has a token that works once; the server gives one for this window in exchange.
export async function begin() {
  const given = location.hash.slice(1);
  if (/^[0-9a-f]{64}$/.test(given)) {
    history.replaceState(null, "", "/");
    const answer = await api("start", {start: given});
    token = answer.token;
    sessionStorage.setItem("token", token);
  }
  return token !== "";
}

export class Refused extends Error {
  constructor(answer) {
    super(answer.error || "the console does not answer");
    this.hint = answer.hint || "";
    this.kind = answer.kind || "";
    this.answer = answer;
  }
}

async function read(response) {
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(answer);
  return answer;
}

async function ask(path, body, headers) {
  const asked = turn;
  let response;
  try {
    response = await fetch("/api/" + path, {method: "POST", body, headers: {"X-Kith-Token": token, ...headers}});
  } catch {
    throw new Refused({error: "the console does not answer: was it ended?"});
  }
  const answer = await read(response);
  if (answer.command && asked === turn) showCommand(answer.command);
  return answer;
}

// Asks a route of the console. The command in the answer goes to the foot of the page.
export const api = (path, body = {}) => ask(path, JSON.stringify(body), {"Content-Type": "application/json"});

export const upload = (file, name = file.name) =>
  ask("upload", file, {"X-Kith-Name": encodeURIComponent(name).replaceAll("%2F", "/")});

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// Asks a route that starts a job and waits for its result. `told` gets what the job says meanwhile;
// `begun` gets the number, with which stop() ends it.
export async function job(path, body, told = () => {}, begun = () => {}) {
  const {job: number} = await api(path, body);
  begun(number);
  return follow(number, told);
}

// Waits for the result of a job that was started before, perhaps by a page that was left since.
export async function follow(number, told = () => {}) {
  const asked = turn;
  for (let wait = 30; ; wait = Math.min(wait * 1.5, 400)) {
    const now = await api("job", {job: number});
    told(now);
    if (now.state === "done") {
      if (now.result.command && asked === turn) showCommand(now.result.command);
      return now.result;
    }
    if (now.state !== "running") throw new Refused(now);
    await pause(wait);
  }
}

export const stop = (number) => api("job/stop", {job: number});

// Where a file of the directory can be seen or downloaded, once.
export const link = async (path) => (await api("link", {path})).address;

// The foot of the page. A page begins without a command, and one that was asked for by a page before does not appear.
let turn = 0;
export function showCommand(command) {
  document.getElementById("command").textContent = command;
  document.querySelector("footer").hidden = command === "";
}
export function turnPage() {
  turn++;
  showCommand("");
}

// What the pages share in this window: the data and the study that is worked on.
export const state = {
  get data() { return sessionStorage.getItem("data") || ""; },
  set data(value) { sessionStorage.setItem("data", value); },
  get study() { return sessionStorage.getItem("study") || ""; },
  set study(value) { sessionStorage.setItem("study", value); },
};

// el("p", {class: "quiet", onclick: f}, "text", child): texts are texts, never markup.
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && typeof value !== "string") made[name] = value;
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

// Shows one line of a text in its textarea.
export function goToLine(editor, line) {
  const lines = editor.value.split("\n");
  if (line > lines.length) return;
  const from = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0);
  editor.focus();
  editor.setSelectionRange(from, from + lines[line - 1].length);
  editor.scrollTop = Math.max(0, (line - 5) * (parseFloat(getComputedStyle(editor).lineHeight) || 20));
}

// A label with its control; findings go below it.
export function field(label, control, help = "") {
  const id = control.id || "f" + Math.random().toString(36).slice(2);
  control.id = id;
  return el("div", {class: "field"}, el("label", {for: id}, label, help ? el("span", {class: "quiet"}, " " + help) : null), control);
}

export const button = (text, onclick, attributes = {}) => el("button", {type: "button", onclick, ...attributes}, text);

export function select(options, chosen, onchange) {
  return el("select", {onchange}, options.map((o) => {
    const [value, text] = Array.isArray(o) ? o : [o, o];
    return el("option", {value, selected: value === chosen}, text);
  }));
}

// A table with a caption for screen readers. Columns: [heading, cell(row), class].
export function table(caption, columns, rows) {
  return el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
    el("table", {},
      el("caption", {class: "hidden"}, caption),
      el("thead", {}, el("tr", {}, columns.map(([heading, , kind]) => el("th", {scope: "col", class: kind || null}, heading)))),
      el("tbody", {}, rows.map((row) => el("tr", {}, columns.map(([, cell, kind], i) =>
        el(i === 0 ? "th" : "td", {class: kind || null, scope: i === 0 ? "row" : null}, cell(row))))))));
}

// A message that screen readers tell.
export function problem(error) {
  return el("div", {class: "problem", role: "alert"}, el("p", {}, error.message), error.hint ? el("p", {class: "quiet"}, error.hint) : null);
}

// Progress of a job: show(bar.node), bar.told is what job() takes.
export function progress(onstop = null) {
  const bar = el("progress", {max: "1"}), phase = el("span", {class: "quiet"}, "starting");
  const node = el("div", {class: "progress", role: "status"}, bar, phase, onstop ? button("Stop", onstop) : null);
  const told = (now) => {
    if (now.share >= 0) bar.value = Math.min(now.share, 1);
    else bar.removeAttribute("value");
    phase.textContent = (now.stopping ? "stopping: " : "") + (now.phase || now.name) + ", " + Math.round(now.seconds) + " s";
  };
  return {node, told};
}

export const count = (n) => Number(n).toLocaleString("en-US");
export const percent = (share, digits = 1) => Number.isFinite(share) ? (100 * share).toFixed(digits) + "%" : "–"; // null: not known
export function bytes(n) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let i = 0;
  for (; n >= 1000 && i + 1 < units.length; i++) n /= 1000;
  return (i === 0 ? n : n.toPrecision(3)) + " " + units[i];
}
