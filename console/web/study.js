// The page Study: the text and forms side by side. Both show the same text; a form changes one value in it.
import {api, button, el, goToLine, job, problem, state} from "/lib.js";
import {readingOf} from "/data.js";
import {draftOf, dropDraft, inTurn, keepText, settled} from "/drafts.js";
import {forms} from "/study_forms.js";

// text is what the page shows, saved what the file has, base what it had when the changes began, both with their versions; edits are changes of forms
// that the text does not have yet: [key, yaml], null removes.
let text = "", path = "", saved = "", base = "", savedVersion = "", baseVersion = "", edits = [], outline = null, findings = [], dataFindings = [];
let editor, gutter, list, formPlace, status, saveButton, discardButton, unsaved, timer, dataTimer, turn = 0;

// Findings are about the text, or about another file: a hierarchy, or the data.
const isHere = (f) => !f.file || f.file === "<memory>";

// Line numbers beside the text; lines with a finding are marked and explained.
function drawGutter() {
  const lines = text.split("\n").length, marked = new Map();
  for (const f of [...findings, ...dataFindings]) if (f.line && isHere(f)) marked.set(f.line, [...(marked.get(f.line) || []), f]);
  gutter.replaceChildren(...Array.from({length: lines}, (_, i) => {
    const here = marked.get(i + 1);
    const worst = here && (here.some((f) => f.severity === "problem") ? "bad" : "warn");
    return el("span", {class: worst || null, title: here ? here.map((f) => f.text).join("\n") : null}, String(i + 1));
  }));
  gutter.scrollTop = editor.scrollTop;
}

// The column whose hierarchy is in a file.
function columnWith(file) {
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/") + 1) : "";
  const columns = outline && Array.isArray(outline.columns) ? outline.columns : [];
  const named = (h) => typeof h === "string" ? h : h && typeof h === "object" ? h.file : undefined;
  return (columns.find((c) => named(c.hierarchy) && folder + named(c.hierarchy) === file) || {}).name;
}

// Where a finding is: a link to the line of the text or of the hierarchy file; lines of other files are named.
function whereOf(f) {
  if (isHere(f)) return f.line ? [button("line " + f.line, () => goToLine(editor, f.line), {class: "link"}), ": "] : f.path ? [el("code", {}, f.path), ": "] : [];
  const place = f.file + (f.line ? ", line " + f.line : ""), column = columnWith(f.file);
  return [column && f.line && state.data ? el("a", {href: `#hierarchies/${encodeURIComponent(column)}/${f.line}`}, place) : place, ": "];
}

function drawFindings() {
  const all = [...findings, ...dataFindings];
  const problems = all.filter((f) => f.severity === "problem").length;
  list.replaceChildren(...all.map((f) => el("li", {class: f.severity === "problem" ? "bad" : "warn"},
    ...whereOf(f), f.text)));
  status.className = problems ? "problem" : all.length ? "warning" : "good";
  status.textContent = problems ? `${problems} problem${problems === 1 ? "" : "s"} to mend` :
    all.length ? "It can be used; please read the warnings." : state.data ? "Nothing is wrong, also with " + state.data + "." : "Nothing is wrong.";
  drawState();
  drawGutter();
}

function drawState() {
  const changed = text !== saved || edits.length > 0;
  saveButton.disabled = discardButton.disabled = !changed;
  unsaved.textContent = !changed ? "" : base === saved ? "not saved" : "not saved; the file was changed by others meanwhile, and saving replaces it";
}

// The fields of models have numbers; a path may have the name of the model instead.
function numbered(key) {
  const list = outline && Array.isArray(outline.privacy) ? outline.privacy : [];
  return (key || "").replace(/^privacy\.([a-z-]+)/, (all, name) => {
    const i = list.findIndex((model) => model.model === name);
    return i < 0 ? all : "privacy." + i;
  });
}

// Findings at their fields; the longest path that a field has wins.
function drawFields() {
  const fields = new Map([...formPlace.querySelectorAll("[data-key]")].map((control) => [control.dataset.key, control]));
  for (const f of [...findings, ...dataFindings]) {
    let key = numbered(f.path);
    while (key && !fields.has(key)) key = key.includes(".") ? key.slice(0, key.lastIndexOf(".")) : "";
    const control = fields.get(key);
    if (!control) continue;
    control.setAttribute("aria-invalid", "true");
    control.parentNode.append(el("p", {class: f.severity === "problem" ? "at bad" : "at warn"}, f.text));
  }
}

// A field that is typed into stays; the forms follow when it is left.
function drawForms() {
  if (edits.length) return;
  const active = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.key : null;
  if (outline) formPlace.replaceChildren(...forms(outline, set, typing));
  else formPlace.replaceChildren(el("p", {}, "The forms come back when the text is YAML again."));
  drawFields();
  if (active && !editor.matches(":focus")) formPlace.querySelector(`[data-key="${CSS.escape(active)}"]`)?.focus();
}

async function checkData(mine) {
  if (!editor.isConnected) return; // the page was left
  try {
    const found = await job("study/check-data", {text, path, data: state.data, ...readingOf(state.data)});
    if (mine !== turn) return;
    const id = (f) => [f.file, f.line, f.text].join("\n"), known = new Set(findings.map(id));
    dataFindings = found.findings.findings.filter((f) => !known.has(id(f)) && known.add(id(f)));
  } catch (error) {
    if (mine !== turn) return;
    dataFindings = [{severity: "warning", text: error.message}];
  }
  drawFindings();
  drawForms();
  document.getElementById("main").dataset.checked = String(mine);
}

async function check() {
  const mine = ++turn;
  if (!editor.isConnected) return;
  const answer = await api("study/check", {text, path});
  if (mine !== turn) return;
  findings = answer.findings.findings;
  outline = answer.outline || null;
  dataFindings = [];
  drawFindings();
  drawForms();
  clearTimeout(dataTimer);
  if (state.data && answer.digest) dataTimer = setTimeout(() => checkData(mine), 300);
  else document.getElementById("main").dataset.checked = String(mine);
}

function keepDraft() {
  if (text === saved && !edits.length) [base, baseVersion] = [saved, savedVersion];
  keepText("study", path, text, base, {edits, version: baseVersion});
  drawState();
}

function changed(value) {
  text = value;
  keepDraft();
  clearTimeout(timer);
  document.getElementById("main").dataset.checked = "";
  timer = setTimeout(() => check().catch(complain), 150);
}

function complain(error) {
  list.replaceChildren(el("li", {}, problem(error)));
}

// A field that is typed into and not left yet: a reload keeps it.
function typing(key, yaml) {
  const known = key.endsWith(".+") ? undefined : edits.find(([other]) => other === key);
  if (known) known[1] = yaml ?? null;
  else edits.push([key, yaml ?? null]);
  keepDraft();
}

// What a form does: one value of the text. yaml undefined removes it. One change after the other, each to the newest text.
function set(key, yaml) {
  typing(key, yaml);
  return inTurn(apply);
}

async function apply() {
  while (edits.length) {
    const [[key, yaml]] = edits;
    try {
      const from = text, answer = await api("study/edit", {text, key, yaml: yaml ?? undefined});
      if (text !== from) continue; // somebody typed meanwhile
      edits.shift();
      editor.value = answer.text;
      changed(answer.text);
    } catch (error) {
      edits.shift();
      keepDraft();
      complain(error);
    }
  }
}

async function save() {
  try {
    await inTurn(apply);
    const now = text;
    savedVersion = baseVersion = (await api("study/save", {text: now, path, version: savedVersion})).version;
    saved = base = now;
    keepDraft();
    drawFindings();
  } catch (error) {
    complain(error);
  }
}

async function discard() {
  await settled();
  edits = [];
  editor.value = saved;
  changed(saved);
}

async function open(chosen) {
  ({text: saved, version: savedVersion} = await api("study/open", {path: chosen}));
  path = state.study = chosen;
  const draft = draftOf(path) || {text: saved, base: saved, version: savedVersion};
  ({text, base, version: baseVersion} = draft);
  edits = draft.edits || [];
  if (text === saved && !edits.length) dropDraft(path);
}

function layout(main) {
  editor = el("textarea", {class: "code", id: "text", spellcheck: "false", wrap: "off", "aria-label": "Text of the study",
    oninput: () => changed(editor.value), onscroll: () => { gutter.scrollTop = editor.scrollTop; }});
  editor.value = text;
  gutter = el("div", {class: "gutter", "aria-hidden": "true"});
  list = el("ul", {class: "findings", "aria-label": "Findings"});
  status = el("p", {class: "good", role: "status"});
  formPlace = el("div", {id: "forms"});
  saveButton = button("Save", save, {class: "main", id: "save"});
  discardButton = button("Discard changes", discard, {id: "discard"});
  unsaved = el("span", {class: "state", id: "unsaved", role: "status"});
  main.append(
    el("div", {class: "row"}, el("p", {class: "grow"}, el("strong", {}, path), " ", unsaved), saveButton, discardButton,
      button("Run it", () => { location.hash = "#run"; }, {id: "run-it"})),
    status, list,
    el("div", {class: "columns study"}, formPlace,
      el("section", {class: "card"}, el("h2", {}, "Text"), el("p", {class: "quiet"}, "What the forms change is changed here; comments stay."),
        el("div", {class: "editor"}, gutter, editor))));
}

function choose(main, studies, place = main) {
  main.append(el("p", {}, studies.length ? "Which study?" : "There is no study yet. Open data first: its columns make a first draft."));
  if (!studies.length) main.append(el("p", {}, el("a", {href: "#data"}, "To the data")));
  main.append(el("ul", {class: "files"}, studies.map((file) => el("li", {}, button(file, async () => {
    await settled();
    state.study = file;
    place.replaceChildren();
    await show(place);
  }, {class: "link"})))));
}

export async function show(main) {
  const studies = (await api("files")).files.filter((file) => file.kind === "study").map((file) => file.path);
  if (!studies.includes(state.study)) return choose(main, studies);
  await open(state.study);
  layout(main);
  if (edits.length) await inTurn(apply);
  await check();
  const others = studies.filter((file) => file !== path);
  if (others.length) main.append(el("details", {}, el("summary", {}, "Other studies here"), el("div")));
  if (others.length) choose(main.lastChild.lastChild, others, main);
}
