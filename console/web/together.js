// The page Together: a joint study, from the own key to the release.
import {api, button, count, el, field, follow, percent, problem, progress, select, showCommand, state, stop, table, link, upload} from "/lib.js";
import {isRelease, readingOf} from "/data.js";
import {draftOf, unsavedFile} from "/drafts.js";
import {showFacts} from "/live.js";

const step = (title, ...children) => el("li", {class: "card"}, el("h2", {}, title), ...children);
const read = (forms) => [el("p", {}, "In digits"), el("code", {class: "fingerprint digits"}, forms.grouped), el("p", {}, "In words"), el("code", {class: "fingerprint"}, forms.words)];

// What is chosen on this page, kept while other pages are looked at.
const chosen = {key: "", study: "", data: ""};

function keyStep(keys, again) {
  const name = el("input", {id: "key-name", placeholder: "north"}), address = el("input", {id: "key-address", placeholder: "north.example.org:7001"});
  const said = el("div");
  const make = async () => {
    try {
      const made = await api("together/key", {name: name.value, address: address.value});
      chosen.key = made.key;
      await again();
      showCommand(made.command);
    } catch (error) {
      said.replaceChildren(problem(error));
    }
  };
  const known = keys.map(({file, identity}) => el("details", {class: "key"}, el("summary", {}, `${identity.name} (${file}), valid until ${identity.until}`),
    el("p", {}, "Send ", el("code", {}, file.replace(/\.key$/, ".party")), " to the others, and read the fingerprint out to them on the telephone:"), ...read(identity),
    el("p", {}, button("Download " + file.replace(/\.key$/, ".party"), async () => { location.href = await link(file.replace(/\.key$/, ".party")); }))));
  return step("Your key", el("p", {}, "The others know you by your key. It is made on this machine; the private part stays in its file and is never shown, not even here."),
    ...known, el("details", {open: !keys.length}, el("summary", {}, keys.length ? "Make another key" : "Make a key"),
      el("div", {class: "row"}, field("Name of this party", name), field("Address where the others reach it", address), button("Make a key", make, {id: "key-go", class: keys.length ? "" : "main"}))), said);
}

const pinOf = (one) => el("details", {}, el("summary", {}, one.grouped ? one.grouped.slice(0, 9) + " …" : one.key), one.grouped ? read(one) : null);

function pins(parties, me = null) {
  return table("Parties", [["Party", (one) => one === me ? one.name + " (you)" : one.name], ["Address", (one) => one.address || ""],
    ["Compare its key on the telephone", pinOf]], parties);
}

function partiesStep(listed, studies, again) {
  const parties = listed.filter((one) => !one.problem), refused = listed.filter((one) => one.problem);
  const file = el("input", {type: "file", multiple: true, id: "party-files", onchange: async () => {
    try {
      for (const one of file.files) await upload(one);
      await again();
    } catch (error) {
      said.replaceChildren(problem(error));
    }
  }});
  const said = el("div"), base = select(studies, studies.includes(state.study) ? state.study : studies[0]), output = el("input", {value: "joint.study.yaml", id: "join-name"});
  base.id = "join-base";
  const changes = el("div"), look = () => changes.replaceChildren(...(draftOf(base.value) ? [unsavedFile(base.value, again)] : []));
  base.addEventListener("change", look);
  look();
  const join = async () => {
    try {
      const made = await api("together/join", {base: base.value, parties: parties.map((one) => one.file), output: output.value});
      chosen.study = made.study;
      await again();
      showCommand(made.command);
    } catch (error) {
      said.replaceChildren(problem(error));
    }
  };
  return step("The parties and their study", el("p", {}, "Every party sends its .party file. One of you joins them with a study and sends the result, with its hierarchies, to all others; they only add it to their directory."),
    field("Add files that others sent", file, "party files, and the joint study"),
    parties.length ? pins(parties) : el("p", {class: "quiet"}, "No party file is here yet."),
    ...refused.map((one) => el("p", {class: "warning"}, "Not used: " + one.problem)),
    parties.length > 1 && studies.length ? el("div", {class: "row"}, field("Study without parties", base), field("Joint study", output), button("Join", join, {id: "join-go"})) : null, parties.length > 1 ? changes : null, said);
}

function showPromises(study) {
  const list = study.discloses || [];
  return [el("h3", {}, `What the protocol ${study.protocol || ""} discloses`),
    list.length ? el("ol", {class: "promises", id: "promises"}, list.map((one) => el("li", {}, "to ", el("strong", {}, one.to), ": " + one.what))) : el("p", {}, "Nothing: the study names no protocol.")];
}

function showCheck(check) {
  return el("div", {class: "good", id: "checked", role: "status"}, el("p", {}, `All parties are connected and hold the same study: ${check.parties.join(", ")}.`));
}

// Shows a job of this party until its end; returns its result, or nothing if it failed.
async function attend(place, number, ending) {
  const bar = progress(), live = el("div", {id: "live", "aria-label": "The run"});
  const halt = button("Stop", () => { halt.disabled = true; stop(number); });
  bar.node.append(halt);
  place.replaceChildren(bar.node, live);
  let facts = null;
  const told = (now) => {
    bar.told(now);
    if (now.live) showFacts(live, facts = now.live.facts);
  };
  try {
    const result = await follow(number, told);
    bar.node.replaceWith(ending(result));
    return result;
  } catch (error) {
    const why = problem(error);
    why.id = "failed";
    if (facts) {
      showFacts(live, facts, true);
      if (facts.outcome !== "connecting") why.append(el("p", {}, "No party gets a release from this run. What was disclosed until then stays disclosed: the ledger below, and ledger.txt in the run's directory, say what."));
    }
    bar.node.replaceWith(why);
    return null;
  }
}

function showRelease(result) {
  const s = result.summary;
  const report = button("Report", async () => {
    frame.src = await link(result.directory + "/report.html");
    frame.hidden = false;
  });
  const frame = el("iframe", {title: "Report", class: "report", sandbox: "allow-scripts", hidden: true});
  const own = s.records > 0 ? `${count(s.records)} records of all parties, ${count(s.own_records)} of them yours, in ${count(s.classes || 0)} classes` : "this party has no records and gets no release";
  return el("div", {}, el("div", {class: "good", id: "joint-release", role: "status"}, el("p", {}, `The release is verified: ${own}${s.loss?.lm != null ? ", " + percent(s.loss.lm) + " of the information lost (lm)" : ""}.`),
    el("p", {class: "quiet"}, `${result.directory}: release.csv, summary.json, ledger.txt, report.html`)), report, frame);
}

function runName(study, runs) {
  const base = study.replace(/.*\//, "").replace(/\.study\.ya?ml$|\.ya?ml$/, "").replace(/[^A-Za-z0-9_-]/g, "-") || "joint";
  let i = 1;
  while (runs.some((path) => path === `runs/${base}-${i}` || path.startsWith(`runs/${base}-${i}/`))) i++;
  return `${base}-${i}`;
}

async function agreeStep(keys, studies, files) {
  const place = el("div"), key = select(keys.map(({file, identity}) => [file, `${identity.name} (${file})`]), chosen.key, () => { chosen.key = key.value; describe(); });
  const study = select(studies, chosen.study, () => { chosen.study = study.value; describe(); });
  key.id = "joint-key";
  study.id = "joint-study";
  const data = files.filter((file) => file.kind === "data" && !file.path.startsWith("runs/") && !isRelease(files, file.path)).map((file) => file.path);
  async function describe() {
    chosen.key = key.value;
    chosen.study = study.value;
    try {
      const {study: agreed, findings} = await api("together/study", {study: study.value, key: key.value});
      const identity = (keys.find(({file}) => file === key.value) || {}).identity;
      const me = agreed.parties.find((one) => identity && one.key === identity.key);
      place.replaceChildren(...(draftOf(study.value) ? [unsavedFile(study.value, describe)] : []), ...(me ? agreement(agreed, findings, me, {key: key.value, study: study.value}, data, files)
        : [el("p", {class: "warning", role: "status"}, agreed.parties.length ? "No party of this study has the chosen key." : "This study has no parties yet: join them above.")]));
    } catch (error) {
      place.replaceChildren(problem(error));
    }
  }
  if (keys.length && studies.length) await describe();
  return step("Agree, and run", el("div", {class: "row"}, field("Your key", key), field("Joint study", study)), place);
}

function agreement(agreed, findings, me, chosenFiles, data, files) {
  const {study, key} = chosenFiles, running = el("div", {id: "joint-running"});
  const table = select([["", "none: this party has no data"], ...data.map((path) => [path, path])], data.includes(state.data) ? state.data : data[0] || "");
  table.id = "joint-data";
  const name = el("input", {id: "joint-name", value: runName(study, files.map((file) => file.path))});
  const listen = el("input", {id: "joint-listen", placeholder: me.address}), rows = el("input", {id: "joint-rows", placeholder: "sqlite:mine.db?table=rows"}), idKey = el("input", {id: "joint-id-key"});
  const more = () => ({listen: listen.value.trim(), rows: rows.value.trim(), idKey: idKey.value.trim()});
  const digest = el("input", {type: "checkbox", id: "agree-digest"}), promises = el("input", {type: "checkbox", id: "agree-promises"});
  const go = button("Take part", () => start("together/run", {study, as: me.name, key, data: table.value, name: name.value, confirmed: true, ...more(), ...readingOf(table.value)}, showRelease), {class: "main", id: "joint-go", disabled: true});
  const look = () => { go.disabled = !(digest.checked && promises.checked); };
  digest.addEventListener("change", look);
  promises.addEventListener("change", look);
  async function start(route, body, ending) {
    try {
      const {job: number} = await api(route, body);
      if (route === "together/run") sessionStorage.setItem("jointJob", number);
      await attend(running, number, ending);
    } catch (error) {
      running.replaceChildren(problem(error));
    }
    sessionStorage.removeItem("jointJob");
  }
  const before = sessionStorage.getItem("jointJob");
  if (before) attend(running, Number(before), showRelease).then(() => sessionStorage.removeItem("jointJob"));
  const warnings = ((findings || {}).findings || []).map((one) => el("p", {class: "warning"}, one.text));
  return [el("h3", {}, "Parties of the study"), pins(agreed.parties, me),
    el("h3", {}, "Digest of the study: read it out to the others"), ...read(agreed),
    el("p", {}, digest, " ", el("label", {for: "agree-digest"}, "The others read the same digest to me.")),
    ...showPromises(agreed),
    el("p", {}, promises, " ", el("label", {for: "agree-promises"}, "This may be disclosed.")), ...warnings,
    el("details", {id: "joint-more"}, el("summary", {}, "Where this party listens, and what some studies need"), el("div", {class: "row"},
      field("Listen at", listen, "if not at the address of the study"), field("Table for your own rows", rows, "publish: virtual"), field("Key of a generator", idKey, "a file of this directory; pkg"))),
    el("p", {}, button("Dry run: connect, compare, and stop", () => start("together/check", {study, as: me.name, key, ...more()}, (result) => showCheck(result.check)), {id: "dry-go"}), " ",
      el("span", {class: "quiet"}, "The others start theirs at the same time. No data is read.")),
    el("div", {class: "row"}, field("Data of this party", table), field("Name of the run", name), go), running];
}

export async function show(main) {
  const place = el("ol", {class: "steps"});
  main.append(el("p", {}, "Several parties make one release of all their data, without showing it to each other."), place);
  async function again() {
    const [{files}, {keys, parties}] = await Promise.all([api("files"), api("together/keys")]);
    const studies = files.filter((file) => file.kind === "study").map((file) => file.path);
    if (!keys.some(({file}) => file === chosen.key)) chosen.key = keys.length ? keys[0].file : "";
    if (!studies.includes(chosen.study)) chosen.study = studies.includes("joint.study.yaml") ? "joint.study.yaml" : studies[0] || "";
    place.replaceChildren(keyStep(keys, again), partiesStep(parties, studies, again), await agreeStep(keys, studies, files));
  }
  await again();
}
