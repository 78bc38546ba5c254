// The page Study: the text and forms side by side. Both show the same text; a form changes one value in it.
import {api, button, el, field, job, problem, state} from "/lib.js";
import {reading} from "/data.js";
import {forms} from "/study_forms.js";

let text = "", path = "", saved = "", outline = null, findings = [], dataFindings = [];
let editor, gutter, list, formPlace, status, saveButton, timer, dataTimer, turn = 0;

// Line numbers beside the text; lines with a finding are marked and explained.
function drawGutter() {
  const lines = text.split("\n").length, marked = new Map();
  for (const f of [...findings, ...dataFindings]) if (f.line) marked.set(f.line, [...(marked.get(f.line) || []), f]);
  gutter.replaceChildren(...Array.from({length: lines}, (_, i) => {
    const here = marked.get(i + 1);
    const worst = here && (here.some((f) => f.severity === "problem") ? "bad" : "warn");
    return el("span", {class: worst || null, title: here ? here.map((f) => f.text).join("\n") : null}, String(i + 1));
  }));
  gutter.scrollTop = editor.scrollTop;
}

function goTo(line) {
  const lines = text.split("\n");
  const from = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0);
  editor.focus();
  editor.setSelectionRange(from, from + lines[line - 1].length);
  editor.scrollTop = Math.max(0, (line - 5) * 20);
}

function drawFindings() {
  const all = [...findings, ...dataFindings];
  const problems = all.filter((f) => f.severity === "problem").length;
  list.replaceChildren(...all.map((f) => el("li", {class: f.severity === "problem" ? "bad" : "warn"},
    f.line ? button("line " + f.line, () => goTo(f.line), {class: "link"}) : f.path ? el("code", {}, f.path) : "", f.line || f.path ? ": " : "", f.text)));
  status.className = problems ? "problem" : all.length ? "warning" : "good";
  status.textContent = problems ? `${problems} problem${problems === 1 ? "" : "s"} to mend` :
    all.length ? "It can be used; please read the warnings." : state.data ? "Nothing is wrong, also with " + state.data + "." : "Nothing is wrong.";
  saveButton.disabled = text === saved;
  drawGutter();
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

function drawForms() {
  const active = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.key : null;
  if (outline) formPlace.replaceChildren(...forms(outline, set));
  else formPlace.replaceChildren(el("p", {}, "The forms come back when the text is YAML again."));
  drawFields();
  if (active && !editor.matches(":focus")) formPlace.querySelector(`[data-key="${CSS.escape(active)}"]`)?.focus();
}

async function checkData(mine) {
  try {
    const found = await job("study/check-data", {text, path, data: state.data, ...reading});
    if (mine !== turn) return;
    const known = new Set(findings.map((f) => f.text));
    dataFindings = found.findings.findings.filter((f) => !known.has(f.text));
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

function changed(value) {
  text = value;
  clearTimeout(timer);
  document.getElementById("main").dataset.checked = "";
  timer = setTimeout(() => check().catch(complain), 150);
}

function complain(error) {
  list.replaceChildren(el("li", {}, problem(error)));
}

// What a form does: one value of the text. yaml undefined removes it.
async function set(key, yaml) {
  try {
    const answer = await api("study/edit", {text, key, yaml});
    editor.value = answer.text;
    changed(answer.text);
  } catch (error) {
    complain(error);
  }
}

async function save() {
  try {
    await api("study/save", {text, path});
    saved = text;
    drawFindings();
  } catch (error) {
    complain(error);
  }
}

async function open(chosen) {
  text = saved = (await api("study/open", {path: chosen})).text;
  path = state.study = chosen;
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
  main.append(
    el("div", {class: "row"}, el("p", {class: "grow"}, el("strong", {}, path)), saveButton,
      button("Run it", () => { location.hash = "#run"; })),
    status, list,
    el("div", {class: "columns study"}, formPlace,
      el("section", {class: "card"}, el("h2", {}, "Text"), el("p", {class: "quiet"}, "What the forms change is changed here; comments stay."),
        el("div", {class: "editor"}, gutter, editor))));
}

function choose(main, studies) {
  main.append(el("p", {}, studies.length ? "Which study?" : "There is no study yet. Open data first: its columns make a first draft."));
  if (!studies.length) main.append(el("p", {}, el("a", {href: "#data"}, "To the data")));
  main.append(el("ul", {class: "files"}, studies.map((file) => el("li", {}, button(file, async () => {
    state.study = file;
    main.replaceChildren(el("h1", {}, "Study"));
    await show(main);
  }, {class: "link"})))));
}

export async function show(main) {
  const studies = (await api("files")).files.filter((file) => file.kind === "study").map((file) => file.path);
  if (!studies.includes(state.study)) return choose(main, studies);
  await open(state.study);
  layout(main);
  await check();
  const others = studies.filter((file) => file !== path);
  if (others.length) main.append(el("details", {}, el("summary", {}, "Other studies here"), el("div")));
  if (others.length) choose(main.lastChild.lastChild, others);
}
