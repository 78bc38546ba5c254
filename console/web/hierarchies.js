// The page Hierarchies: how the values of a column become coarser, as a tree with the numbers of records on it.
import {api, button, count, el, field, goToLine, job, problem, select, state, upload} from "/lib.js";
import {readingOf} from "/data.js";
import {draftOf, dropDraft, keepText, putDraft} from "/drafts.js";
import {yamlOf} from "/study_forms.js";

const kinds = [["intervals", "intervals of numbers"], ["mask", "characters masked"], ["dates", "parts of dates"], ["order", "neighbours in sorted order"],
  ["file", "a file"], ["suppress", "all or nothing"]];
const units = ["minute", "hour", "day", "week", "month", "quarter", "year", "decade"];
let study = null, description = null, files = []; // study: {path, text, outline}, with changes that are not saved
let column = "", kind = "", form = {}, drawn = null, timer, turn = 0;
let treePlace, formPlace, said, statePlace;

const columnOf = (name) => description.columns.find((c) => c.name === name);
const studied = (name) => (study && Array.isArray(study.outline.columns) ? study.outline.columns : []).find((c) => c.name === name);

// What was chosen for a column and is not in the study yet has a draft; the text of a file has one of its own.
const chosenName = () => `hierarchy of ${column} in ${study ? study.path : "no study"}`;

function remember() {
  const now = {kind, form: {...form, text: "", version: undefined, saved: undefined}}, before = initial(column);
  if (JSON.stringify(now) === JSON.stringify({kind: before.kind, form: {...before.form}})) dropDraft(chosenName());
  else putDraft(chosenName(), {page: "hierarchies", study: study ? study.path : "", column, ...now});
  drawState();
}

function drawState() {
  const changes = [], change = (text, discard, id) => changes.push(el("p", {class: "row"}, el("span", {class: "state"}, text), button("Discard", discard, {id})));
  if (draftOf(chosenName())) change(study ? "not in the study yet" : "in no study yet", () => { dropDraft(chosenName()); choose(column); }, "h-discard");
  if (kind === "file" && draftOf(form.path)) change(form.path + ": not saved", () => { dropDraft(form.path); openFile(form.path).catch(complain); }, "h-discard-file");
  statePlace.replaceChildren(...changes);
}

// What a column begins with: what was chosen before, else what the study says, else what its type suggests.
function begin(name) {
  column = name;
  const before = draftOf(chosenName()) || initial(name);
  kind = before.kind;
  form = {...before.form};
}

function initial(name) {
  const h = (studied(name) || {}).hierarchy, c = columnOf(name), type = (studied(name) || {}).type || c.type;
  const first = {intervals: "", origin: "", side: "right", character: "*", dates: ["month", "year"], order: "4, 16", path: "", text: ""};
  let made = h === "suppress" || type === "string" ? "suppress" : type === "date" ? "dates" : "intervals";
  if (h && typeof h === "object") {
    made = Object.keys(h).find((key) => kinds.some(([known]) => known === key)) || "suppress";
    if (made === "intervals") Object.assign(first, {intervals: h.intervals.join(", "), origin: h.origin || ""});
    if (made === "mask") Object.assign(first, {side: h.mask, character: h.character || "*"});
    if (made === "dates") first.dates = h.dates;
    if (made === "order") first.order = h.order.join(", ");
    if (made === "file") first.path = beside(h.file);
  } else if (h && h !== "suppress") Object.assign(first, {path: beside(h)}), made = "file";
  if (!first.intervals) first.intervals = suggestWidths(c);
  return {kind: made, form: first};
}

// The type that the study gives a column; intervals and dates need one of their own, which the data tells.
function typeNow() {
  const given = studied(column) ? studied(column).type || "string" : columnOf(column).type;
  const needed = {intervals: ["integer", "decimal"], dates: ["date"]}[kind];
  return needed && !needed.includes(given) ? columnOf(column).type : given;
}

// How the column is read: as the study says, or as it would say with the type that the hierarchy needs.
function asStudied() {
  const own = studied(column), type = typeNow(), written = own && (own.type || "string") === type ? own : columnOf(column);
  const missing = study ? study.outline.missing_values : undefined;
  return {type, format: written.format, decimal: written.decimal, study: written === own ? study.path : undefined,
    missing: missing === undefined ? undefined : [].concat(missing)};
}

// A file of the study is named from the study's directory, and from ours here.
const folder = () => study && study.path.includes("/") ? study.path.slice(0, study.path.lastIndexOf("/") + 1) : "";
const beside = (path) => folder() + path;

function suggestWidths(c) {
  const span = Number(c.maximum) - Number(c.minimum);
  if (!(span > 0)) return "5, 10, 20";
  const first = 10 ** Math.floor(Math.log10(span / 10));
  return [first, 2 * first, 4 * first].map((n) => c.type === "integer" ? Math.max(1, Math.round(n)) : n).join(", ");
}

const numbers = (text) => "[" + text.split(/[,\s]+/).filter((part) => part !== "").join(", ") + "]";

function builder() {
  switch (kind) {
    case "intervals": return `{intervals: ${numbers(form.intervals)}${form.origin ? ", origin: " + form.origin : ""}}`;
    case "mask": return `{mask: ${form.side}${form.character === "*" ? "" : ", character: " + JSON.stringify(form.character)}}`;
    case "dates": return `{dates: [${units.filter((u) => form.dates.includes(u)).join(", ")}]}`;
    case "order": return `{order: ${numbers(form.order)}}`;
    case "suppress": return "suppress";
  }
}

function node(n, depth, total) {
  const share = total ? n.records / total : 0;
  const label = el("span", {class: "node"}, el("span", {class: n.records ? "label" : "label quiet"}, n.label === "" ? "(missing)" : n.label),
    el("span", {class: "weight"}, meter(share)), el("span", {class: "number quiet"}, count(n.records)));
  if (!n.children) return el("li", {}, label);
  return el("li", {}, el("details", {open: depth < 1 || n.children.length === 1}, el("summary", {}, label),
    el("ul", {}, n.children.map((child) => node(child, depth + 1, total)), n.more ? el("li", {class: "quiet"}, `and ${count(n.more)} more`) : null)));
}

function meter(share) {
  const bar = el("span", {class: "meter"});
  bar.style.width = (100 * share).toFixed(2) + "%";
  return bar;
}

// Groups that a new value can go to: all nodes above the leaves of one level, with the way up from them.
function groups(n, above = []) {
  const way = [n.label, ...above];
  if (!n.children) return [];
  if (n.children.every((child) => !child.children)) return [way];
  return n.children.flatMap((child) => groups(child, way));
}

function mender(value) {
  const ways = groups(drawn.tree);
  if (kind !== "file" || !ways.length) return null;
  const choice = select([["", "Place it under…"], ...ways.map((way, i) => [String(i), way.slice(0, -1).reverse().join(" › ") || way[0]])], "", () => {
    if (choice.value === "") return;
    const separator = (form.text.split("\n")[0].match(/[;,\t]/) || [";"])[0];
    const quote = (t) => /["\n]/.test(t) || t.includes(separator) ? '"' + t.replaceAll('"', '""') + '"' : t;
    typed(form.text.replace(/\n*$/, "\n") + [value, ...ways[Number(choice.value)]].map(quote).join(separator) + "\n");
    drawForm();
  });
  choice.setAttribute("aria-label", `Place ${value} under`);
  return choice;
}

function drawUnplaced() {
  if (!drawn.nUnplaced) return null;
  return el("div", {class: "problem", id: "unplaced"}, el("p", {}, `${count(drawn.nUnplaced)} value${drawn.nUnplaced === 1 ? " has" : "s have"} no place in this hierarchy:`),
    el("ul", {}, drawn.unplaced.map((u) => el("li", {}, el("strong", {}, u.value), ` (${count(u.records)} record${u.records === 1 ? "" : "s"}) `, mender(u.value)))));
}

function drawTree() {
  const findings = drawn.findings.findings;
  treePlace.replaceChildren(
    findings.length ? el("ul", {class: "findings"}, findings.map((f) => el("li", {class: f.severity === "problem" ? "bad" : "warn"}, ...(f.line && kind === "file" ? [button(`${form.path}, line ${f.line}`, () => goToLine(document.getElementById("h-text"), f.line), {class: "link"}), ": "] : []), f.text))) : "",
    drawn.tree ? drawUnplaced() || "" : "",
    drawn.missing ? el("p", {class: "warning"}, `${count(drawn.missing)} records have no value here; the study's key 'missing' says what becomes of them.`) : "",
    drawn.tree ? el("p", {class: "quiet"}, `${drawn.levels.length} levels: ${drawn.levels.map(count).join(" › ")} groups`) : "",
    drawn.tree ? el("ul", {class: "tree"}, node(drawn.tree, 0, drawn.tree.records)) : "");
}

function draw() {
  clearTimeout(timer);
  const main = document.getElementById("main");
  main.dataset.drawn = "";
  timer = setTimeout(async () => {
    const mine = ++turn;
    const what = kind === "file" ? {text: form.text, path: form.path || undefined} : {builder: builder()};
    try {
      if (kind === "file" && !form.text) { treePlace.replaceChildren(el("p", {class: "quiet"}, "Choose a file.")); main.dataset.drawn = String(mine); return; }
      const answer = await job("hierarchies/draw", {data: state.data, ...readingOf(state.data), column, ...asStudied(), ...what});
      if (mine !== turn) return;
      drawn = answer;
      drawTree();
    } catch (error) {
      if (mine === turn) treePlace.replaceChildren(problem(error));
    }
    main.dataset.drawn = String(mine);
  }, 120);
}

const input = (key, attributes = {}) => {
  const made = el("input", {value: form[key], id: "h-" + key, ...attributes, oninput: () => { form[key] = made.value; remember(); draw(); }});
  return made;
};

function dateBoxes() {
  return el("fieldset", {}, el("legend", {}, "Steps"), units.map((unit) => {
    const box = el("input", {type: "checkbox", checked: form.dates.includes(unit), id: "u-" + unit,
      onchange: () => { form.dates = units.filter((u) => document.getElementById("u-" + u).checked); remember(); draw(); }});
    return el("label", {class: "box", for: "u-" + unit}, box, " ", unit);
  }));
}

async function openFile(path) {
  form.path = path;
  const opened = path ? await api("hierarchies/open", {path}) : {text: ""};
  form.saved = opened.text;
  const draft = path ? draftOf(path) : undefined;
  form.text = draft ? draft.text : opened.text;
  form.version = draft ? draft.version : opened.version;
  drawForm();
  draw();
}

// Another text of the file, which is kept until it is saved.
function typed(text) {
  form.text = text;
  keepText("hierarchies", form.path, text, form.saved, {version: form.version});
  drawState();
  draw();
}

function fileForm() {
  const here = files.filter((f) => f.kind === "hierarchy" || f.path === form.path).map((f) => f.path);
  const take = (path) => openFile(path).then(remember).catch(complain);
  const choice = select([["", "choose…"], ...here], form.path, () => take(choice.value));
  const bring = el("input", {type: "file", accept: ".csv", id: "h-upload", onchange: async () => {
    try {
      const {path} = await upload(bring.files[0], "hierarchies/" + bring.files[0].name);
      files = (await api("files")).files;
      await take(path);
    } catch (error) { complain(error); }
  }});
  const text = el("textarea", {class: "code", id: "h-text", rows: "12", spellcheck: "false", wrap: "off", oninput: () => { typed(text.value); save.disabled = false; }});
  text.value = form.text;
  const save = button("Save the file", async () => {
    try {
      form.version = (await api("hierarchies/save", {path: form.path, text: form.text, version: form.version})).version;
      form.saved = form.text;
      dropDraft(form.path);
      save.disabled = true;
      drawState();
    } catch (error) { complain(error); }
  }, {disabled: !draftOf(form.path), id: "h-save"});
  return [field("File", choice), field("Bring a file", bring), form.path ? field("Its rows: value; group; larger group; …", text) : null, form.path ? save : null];
}

const controls = {
  intervals: () => [field("Widths, each dividing the next", input("intervals")), field("Counted from", input("origin", {placeholder: "0"}))],
  mask: () => {
    const side = select(["right", "left"], form.side, () => { form.side = side.value; remember(); draw(); });
    return [field("From the", side), field("Character", input("character", {maxlength: "1", size: "2"}))];
  },
  dates: () => [dateBoxes()],
  order: () => [field("Neighbours in a group", input("order"))],
  file: fileForm,
  suppress: () => [el("p", {class: "quiet"}, "A value is kept, or nothing of it.")],
};

function drawForm() {
  const builders = select(kinds, kind, () => {
    kind = builders.value;
    remember();
    if (kind === "file" && form.path) return openFile(form.path).catch(complain);
    drawForm();
    draw();
  });
  builders.id = "h-kind";
  formPlace.replaceChildren(field("Made of", builders), ...controls[kind]().filter((c) => c));
  drawState();
}

function complain(error) {
  said.replaceChildren(problem(error));
}

// Puts the hierarchy, and the type that it needs, into the study: into the file, or into its changes if there are any.
async function use() {
  try {
    const at = /^[^.]+$/.test(column) && !/^\d+$/.test(column) ? column : String(study.outline.columns.findIndex((c) => c.name === column));
    const {path} = study, draft = draftOf(path);
    let {text, version} = draft || await api("study/open", {path});
    const set = async (key, yaml) => { text = (await api("study/edit", {text, key: `columns.${at}.${key}`, yaml})).text; };
    const type = typeNow(), c = columnOf(column);
    if ((studied(column).type || "string") !== type) {
      await set("type", type);
      if (c.decimal) await set("decimal", c.decimal);
      if (c.format) await set("format", JSON.stringify(c.format));
    }
    await set("hierarchy", kind === "file" ? yamlOf(form.path.startsWith(folder()) ? form.path.slice(folder().length) : form.path) : builder());
    if (draft) keepText("study", path, text, draft.base, {version});
    else await api("study/save", {text, path, version});
    dropDraft(chosenName());
    await loadStudy();
    drawState();
    said.replaceChildren(draft ? el("p", {class: "warning", role: "status", id: "used"}, `${path} has it among its changes, which are not saved yet. `, el("a", {href: "#study"}, "To the study"))
      : el("p", {class: "good", role: "status", id: "used"}, `${path} has it now.`));
  } catch (error) { complain(error); }
}

async function loadStudy() {
  study = null;
  if (!state.study || !files.some((f) => f.path === state.study)) return;
  const {text} = draftOf(state.study) || await api("study/open", {path: state.study});
  const {outline} = await api("study/check", {text, path: state.study});
  if (outline) study = {path: state.study, text, outline};
}

async function choose(name) {
  begin(name);
  said.replaceChildren();
  if (kind === "file" && form.path) return openFile(form.path).catch(complain);
  drawForm();
  draw();
}

export async function show(main) {
  if (!state.data) {
    main.append(el("p", {}, "Open data first: a hierarchy is over the values of a column. "), el("p", {}, el("a", {href: "#data"}, "To the data")));
    return;
  }
  files = (await api("files")).files;
  description = (await job("data/open", {data: state.data, ...readingOf(state.data)})).description;
  await loadStudy();
  const names = description.columns.map((c) => c.name);
  const quasi = names.filter((name) => (studied(name) || {}).role === "quasi-identifying");
  const [, asked, line] = location.hash.split("/").map(decodeURIComponent);
  const picker = select(quasi.length ? quasi : names, "", () => choose(picker.value));
  picker.id = "h-column";
  treePlace = el("div", {id: "tree"});
  formPlace = el("div", {class: "stack"});
  said = el("div");
  statePlace = el("div", {role: "status", id: "h-state"});
  main.append(el("p", {}, "A hierarchy says how the values of a column may become coarser, step by step, until nothing of them is left."),
    el("div", {class: "columns"},
      el("section", {class: "card"}, field("Column", picker), formPlace, statePlace, study ? button("Use it in " + study.path, use, {class: "main", id: "use"}) : el("p", {class: "quiet"}, "Open a study to use it there."), said),
      el("section", {class: "card"}, el("h2", {}, "What becomes of the values"), treePlace)));
  const first = names.includes(asked) ? asked : picker.value;
  picker.value = first;
  await choose(first);
  if (line && first === asked && kind === "file" && form.path) goToLine(document.getElementById("h-text"), Number(line));
}
