// The page Run: run a study, stop it with the best so far, see all runs, and make one the release.
import {api, button, count, el, field, follow, job, percent, problem, progress, select, state, stop, table, link} from "/lib.js";
import {isRelease, readingOf} from "/data.js";
import {draftOf, drafts, saveDraft, unsavedFile} from "/drafts.js";
import {chart, compare, runTable, short} from "/board.js";

const chosen = new Set(); // directories of the runs to compare, at most two

async function openReport(frame, path) {
  frame.src = await link(path);
  frame.hidden = false;
  frame.scrollIntoView();
}

function nameFor(study, runs) {
  const base = (study || "run").replace(/.*\//, "").replace(/\.study\.ya?ml$|\.ya?ml$/, "").replace(/[^A-Za-z0-9_-]/g, "-") || "run";
  const taken = new Set(runs.map((run) => run.directory));
  let i = 1;
  while (taken.has(`runs/${base}-${i}`)) i++;
  return `${base}-${i}`;
}

function promises(summary) {
  return table("Privacy models", [
    ["Model", (m) => m.model], ["Holds", (m) => m.holds === null ? "not checked" : m.holds ? "yes" : "no"], ["Worst class", (m) => m.worst === null || m.worst === undefined ? "" : String(m.worst), "number"]],
  summary.models || []);
}

// What whoever releases the table should read.
function warningsOf(summary) {
  return (summary.warnings || []).map((text) => el("p", {class: "warning", role: "status"}, text));
}

function showResult(result) {
  const s = result.summary;
  const stopped = s.interrupted ? " It was stopped: this is the best release so far." : "";
  return el("div", {class: "good", id: "result", "data-interrupted": String(Boolean(s.interrupted))},
    el("p", {}, `The release is verified: ${count(s.records)} records in ${count(s.classes)} classes, ${percent(s.loss.lm)} of the information lost (lm).${stopped}`),
    el("p", {class: "quiet"}, result.directory + "/release.csv"), promises(s), ...warningsOf(s));
}

// Follows the job that was started here, also after another page was looked at.
async function watch(place, number, refresh) {
  const halt = button("Stop with the best so far", () => { halt.disabled = true; stop(number); }, {id: "stop"});
  const bar = progress();
  bar.node.id = "running";
  bar.node.append(halt);
  place.replaceChildren(bar.node);
  try {
    const result = await follow(number, (now) => { bar.node.dataset.phase = now.phase; bar.told(now); });
    place.replaceChildren(showResult(result));
    await refresh(result.directory);
  } catch (error) {
    place.replaceChildren(error.kind === "cancelled" ? el("p", {class: "warning", role: "status"}, "Stopped before there was any release: nothing was written.") : problem(error));
  }
  sessionStorage.removeItem("runJob");
}

function releaseForm(run, data) {
  const output = el("input", {value: "release.csv", id: "release-name"});
  const replace = el("input", {type: "checkbox", id: "release-replace"});
  const against = select([["", "models alone"], ...data.map((path) => [path, path])], data.includes(state.data) ? state.data : "");
  const said = el("div");
  const go = async () => {
    const bar = progress();
    said.replaceChildren(bar.node);
    try {
      const made = await job("run/release", {run: run.directory, output: output.value, data: against.value, replace: replace.checked, ...readingOf(against.value)}, bar.told);
      said.replaceChildren(el("div", {class: "good", id: "released", role: "status"}, el("p", {}, `${made.output} is the release of ${short(run)}. It was verified again under ${made.study}${against.value ? " and against " + against.value : ""}.`)));
    } catch (error) {
      said.replaceChildren(problem(error));
    }
  };
  return el("section", {class: "card", "aria-label": "Make it the release"}, el("h2", {}, `Make ${short(run)} the release`),
    el("div", {class: "row"}, field("File", output), field("Verify against", against), field("Replace a file of that name", replace), button("Verify and release", go, {class: "main", id: "release-go"})), said);
}

async function showBoard(place, frame, data) {
  const {runs} = await api("run/list");
  const known = new Set(runs.map((run) => run.directory));
  for (const directory of chosen) if (!known.has(directory)) chosen.delete(directory);
  if (!runs.length) {
    place.replaceChildren(el("h2", {}, "All runs"), el("p", {class: "quiet"}, "No run yet. Every run gets a directory below runs, with the files that the command line makes."));
    return runs;
  }
  const pictured = el("div"), listed = el("div"), compared = el("section", {"aria-label": "Comparison", id: "comparison"}), form = el("div");
  const draw = () => {
    pictured.replaceChildren(...[chart(runs, chosen)].filter(Boolean));
    listed.replaceChildren(runTable(runs, chosen, actions));
  };
  const actions = {
    choose(run) {
      if (!chosen.delete(run.directory)) chosen.add(run.directory);
      if (chosen.size > 2) chosen.delete([...chosen][0]);
      draw();
      const two = runs.filter((one) => chosen.has(one.directory));
      if (two.length === 2) compare(compared, two[0], two[1]);
      else compared.replaceChildren(el("p", {class: "quiet", role: "status"}, two.length ? "Choose another run to compare." : ""));
    },
    report: (run) => openReport(frame, run.directory + "/report.html"),
    release: (run) => { form.replaceChildren(releaseForm(run, data)); form.scrollIntoView(); },
  };
  draw();
  place.replaceChildren(el("h2", {}, "All runs"), pictured, listed, form, compared);
  return runs;
}

// Changes of hierarchies do not belong to the text of the study: what a run would not have is said.
function otherChanges(study, again) {
  return drafts().filter((draft) => draft.page === "hierarchies").map((draft) => draft.path ? unsavedFile(draft.path, again) :
    draft.study === study ? el("p", {class: "warning unsaved"}, `The hierarchy of ${draft.column} was changed and is not in the study. `, el("a", {href: "#hierarchies/" + encodeURIComponent(draft.column)}, "To the hierarchy")) : "");
}

// The button Run; for a study with changes that are not saved the choice what becomes of them.
function starters(path, start, again, complain) {
  if (!draftOf(path)) return [button("Run", () => start(), {class: "main", id: "run-go"})];
  const saveFirst = async () => {
    try {
      await saveDraft(path);
      again();
      await start();
    } catch (error) {
      complain(error);
    }
  };
  return [el("div", {class: "warning unsaved", role: "status", id: "run-choice"},
    el("p", {}, `${path} has changes that are not saved.`),
    el("div", {class: "row"}, button("Save and run", saveFirst, {class: "main", id: "run-save"}),
      button("Run without saving", () => start(draftOf(path).text), {id: "run-unsaved"}),
      el("a", {href: "#study", id: "run-back"}, "Back to the study")),
    el("p", {class: "quiet"}, "Both run the study as the page Study shows it. A run without saving can become the release only when the study is saved as it was run."))];
}

export async function show(main) {
  const {files} = await api("files");
  const studies = files.filter((file) => file.kind === "study").map((file) => file.path);
  const data = files.filter((file) => file.kind === "data" && !isRelease(files, file.path)).map((file) => file.path);
  if (state.data && !data.includes(state.data)) data.unshift(state.data);
  const board = el("section", {"aria-label": "All runs", id: "board"}), running = el("div"), go = el("div");
  const frame = el("iframe", {title: "Report", class: "report", sandbox: "allow-scripts", hidden: true});
  const study = select(studies, state.study, () => { state.study = study.value; drawStart(); });
  const table = select(data, state.data, () => { state.data = table.value; });
  study.id = "run-study";
  table.id = "run-data";
  const runs = await showBoard(board, frame, data);
  const name = el("input", {id: "run-name", value: nameFor(study.value, runs)});
  study.addEventListener("change", () => { name.value = nameFor(study.value, runs); });
  const refresh = async (directory) => {
    name.value = nameFor(study.value, await showBoard(board, frame, data));
    await openReport(frame, directory + "/report.html");
  };
  const start = async (text) => {
    frame.hidden = true;
    try {
      const {job: number} = await api("run/start", {study: study.value, text, data: table.value, name: name.value, ...readingOf(table.value)});
      sessionStorage.setItem("runJob", number);
      watch(running, number, refresh);
    } catch (error) {
      complain(error);
    }
  };
  const complain = (error) => running.replaceChildren(problem(error));
  const drawStart = () => go.replaceChildren(...otherChanges(study.value, drawStart), ...starters(study.value, start, drawStart, complain));
  const ready = studies.length > 0 && data.length > 0;
  main.append(el("section", {class: "card", "aria-label": "New run"},
    ...(ready ? [el("div", {class: "row"}, field("Study", study), field("Data", table), field("Name of the run", name)), go]
      : [el("p", {}, "A run needs a table and a study: the pages Data and Study make them.")])),
  running, board, frame);
  drawStart();
  const before = sessionStorage.getItem("runJob");
  if (before) watch(running, Number(before), refresh);
}
