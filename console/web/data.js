// The page Data: open a table, see its columns, and what they suggest.
import {api, bytes, button, count, el, field, job, percent, problem, progress, select, state, table, upload} from "/lib.js";

const roles = {"identifying": "identifies by itself", "quasi-identifying": "others may know it", "sensitive": "must not be learned", "insensitive": "harmless"};

// A picture of counts: bars of one series, with the range in words for those who cannot see it.
export function bars(counts, label) {
  const width = 120, height = 32, step = width / counts.length, most = Math.max(...counts, 1);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("class", "bars");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  counts.forEach((n, i) => {
    const bar = document.createElementNS(svg.namespaceURI, "rect");
    const tall = n === 0 ? 0 : Math.max(1, height * n / most);
    bar.setAttribute("x", i * step);
    bar.setAttribute("y", height - tall);
    bar.setAttribute("width", Math.max(step - 1, 0.5));
    bar.setAttribute("height", tall);
    svg.append(bar);
  });
  return svg;
}

function pictureOf(column, picture) {
  const h = picture.histogram;
  if (h) return el("div", {}, bars(h.counts, `histogram of ${column.name}, from ${h.low} to ${h.high}`),
    el("div", {class: "ends quiet"}, el("span", {}, h.low), el("span", {}, h.high)));
  const frequent = column.frequent || [];
  if (!frequent.length || frequent[0].count === 1) return el("span", {class: "quiet"}, "all different");
  return el("div", {}, bars(frequent.map((f) => f.count), `most frequent values of ${column.name}`),
    el("div", {class: "ends quiet"}, el("span", {}, frequent[0].value), el("span", {}, percent(frequent[0].share))));
}

function details(column) {
  const facts = ["minimum", "q05", "q25", "median", "q75", "q95", "maximum", "mean"].filter((key) => key in column)
    .map((key) => [key, column[key]]);
  const frequent = (column.frequent || []).map((f) => [f.value === "" ? "(empty)" : f.value, `${count(f.count)} (${percent(f.share)})`]);
  const list = (pairs) => el("dl", {class: "facts"}, pairs.flatMap(([name, value]) => [el("dt", {}, String(name)), el("dd", {}, String(value))]));
  return el("details", {}, el("summary", {}, "values"), facts.length ? list(facts) : null, list(frequent));
}

function typeOf(column) {
  const type = column.type + (column.decimal ? " (decimal " + column.decimal + ")" : column.format ? " " + column.format : ""), s = column.spoiled;
  return s ? el("span", {}, type, el("br"), el("span", {class: "quiet"}, `all but ${count(s.cells)} cells are of type ${s.type}: ${s.values.map((v) => `'${v}'`).join(", ")}`)) : type;
}

function showColumns(description, pictures) {
  const rows = description.columns.map((column, i) => ({...column, picture: pictures[i]}));
  return table("Columns", [
    ["Column", (c) => el("span", {}, c.name, details(c))],
    ["Type", typeOf],
    ["Distinct", (c) => count(c.distinct), "number"],
    ["Missing", (c) => c.missing ? el("strong", {}, count(c.missing)) : "0", "number"],
    ["Unique", (c) => percent(c.unique_share), "number"],
    ["Distribution", (c) => pictureOf(c, c.picture)],
    ["Suggested role", (c) => el("span", {}, el("strong", {}, c.suggested_role), el("br"), el("span", {class: "quiet"}, c.why || roles[c.suggested_role]))],
  ], rows);
}

function showRisk(description) {
  const q = description.quasi_identifiers;
  if (!q || q.classes === undefined) return null;
  const worst = (q.combinations || [])[0];
  return el("div", {class: q.unique_share > 0.2 ? "warning" : "card"},
    el("p", {}, `Whoever knows ${q.columns.join(", ")} of a record can tell ${percent(q.unique_share)} of the ${count(description.records)} records apart from all others.`),
    worst ? el("p", {}, `Already ${worst.columns.join(", ")} make ${percent(worst.unique_share)} of them unique.`) : null);
}

function showRows(description, rows) {
  const columns = description.columns.map((c, i) => [c.name, (row) => row[i] === null ? el("span", {class: "quiet"}, "missing") : row[i]]);
  return el("details", {class: "card"}, el("summary", {}, "First records, as they are in the table"), table("First records", columns, rows));
}

function startStudy(data, studies) {
  const name = data.replace(/^sqlite:|\?.*$|^postgres(ql)?:.*\//g, "").replace(/.*\//, "").replace(/\.(csv|tsv|gz|db|sqlite3?)\b/g, "") || "table";
  const path = el("input", {value: name + ".study.yaml"});
  const said = el("div");
  const go = async () => {
    try {
      const made = await job("study/draft", {data, path: path.value, ...readingOf(data)});
      state.study = made.path;
      location.hash = "#study";
    } catch (error) {
      said.replaceChildren(problem(error));
    }
  };
  const take = (file) => { state.study = file; location.hash = "#study"; };
  return el("section", {class: "card"}, el("h2", {}, "Next: a study"),
    el("p", {}, "A study says which column has which role, how coarse its values may become, and what the release must guarantee. The suggestions above become its first draft."),
    el("div", {class: "row"}, field("File for the study", path), button("Write a first study", go, {class: "main", id: "draft"})), said,
    studies.length ? el("p", {}, "Or go on with one that is here: ", studies.flatMap((file) => [button(file, () => take(file), {class: "link study"}), " "])) : null);
}

// Separator, encoding and header belong to a file: whatever page reads it reads it in the same way, and no other file.
const readings = JSON.parse(sessionStorage.getItem("readings") || "{}");
export const readingOf = (data) => readings[data] || {};

function keepReading(data, name, value) {
  readings[data] = {...readingOf(data), [name]: value || undefined};
  sessionStorage.setItem("readings", JSON.stringify(readings));
}

const separators = [["", "detected"], [",", ", comma"], [";", "; semicolon"], ["\t", "tab"], ["|", "|"]];

// What is not the default, in words.
function readingSaid(data) {
  const {separator, encoding, noHeader} = readingOf(data);
  return [separator && "separator " + (separators.find(([known]) => known === separator) || [separator])[1], encoding, noHeader && "no header"].filter(Boolean).join(", ");
}

const isFile = (data) => !/^(sqlite|duckdb|postgres(ql)?):/.test(data);

// How a file is written; open to see if it is not as usual.
function csvSettings(data, again) {
  const keep = (name, value) => { keepReading(data, name, value); said.textContent = heading(); again(); };
  const heading = () => `How ${data} is written` + (readingSaid(data) ? ": " + readingSaid(data) : "");
  const {separator: given, encoding: named, noHeader} = readingOf(data);
  const separator = select(separators, given || "", () => keep("separator", separator.value));
  const encoding = el("input", {placeholder: "UTF-8", value: named || "", id: "csv-encoding", onchange: () => keep("encoding", encoding.value.trim())});
  const header = el("input", {type: "checkbox", checked: !!noHeader, id: "csv-no-header", onchange: () => keep("noHeader", header.checked)});
  const said = el("summary", {}, heading());
  separator.id = "csv-separator";
  return el("details", {open: readingSaid(data) !== "", id: "csv-settings"}, said,
    el("div", {class: "row"}, field("Separator", separator), field("Encoding", encoding), field("The first line is a record", header)));
}

// A failure to read a file is often one of these settings: the hint names an encoding, which one click takes.
function unread(error, data, again, settings) {
  const [, encoding] = error.hint.match(/--encoding ([\w.:-]+)/) || [];
  if (settings) settings.open = true;
  if (encoding && isFile(data)) error.hint = "Is the file in another encoding?"; // the hint is the command line's
  return el("div", {}, problem(error), encoding && isFile(data) ? el("p", {}, button("Read it as " + encoding, () => { keepReading(data, "encoding", encoding); again(); }, {id: "csv-take"})) : null);
}

// A table whose names look like values.
function headless(description, data, again) {
  if (!description.header_looks_like_data) return "";
  return el("div", {class: "warning"}, el("p", {}, "The first line looks like a record and not like names of columns."), button("It is a record", () => { keepReading(data, "noHeader", true); again(); }));
}

async function open(data, place) {
  const again = () => open(data, place);
  const settings = isFile(data) ? csvSettings(data, again) : null, content = el("div"), bar = progress();
  const held = document.activeElement && place.contains(document.activeElement) ? document.activeElement.id : "";
  place.replaceChildren(el("h2", {}, data), settings || "", content);
  if (held) document.getElementById(held)?.focus();
  content.replaceChildren(bar.node);
  try {
    const {description, pictures, rows} = await job("data/open", {data, ...readingOf(data)}, bar.told);
    state.data = data;
    const studies = (await api("files")).files.filter((file) => file.kind === "study").map((file) => file.path);
    content.replaceChildren(
      el("p", {}, `${count(description.records)} records, ${description.columns.length} columns`), headless(description, data, again),
      showRisk(description) || "", showColumns(description, pictures), showRows(description, rows), startStudy(data, studies));
  } catch (error) {
    content.replaceChildren(unread(error, data, again, settings));
  }
  place.dataset.open = data;
}

// Releases have a companion; they are no tables to anonymize.
export const isRelease = (files, path) => files.some((file) => file.path === path + ".meta.json");

function fileList(files, pick) {
  const data = files.filter((file) => file.kind === "data"), releases = data.filter((file) => isRelease(files, file.path));
  const list = (some) => el("ul", {class: "files"}, some.map((file) => el("li", {},
    button(file.path, () => pick(file.path), {class: "link"}), " ", el("span", {class: "quiet"}, bytes(file.bytes)))));
  if (!data.length) return el("p", {class: "quiet"}, "There is no table in this directory yet.");
  return el("div", {}, list(data.filter((file) => !releases.includes(file))), releases.length ? el("details", {}, el("summary", {}, "Releases"), list(releases)) : null);
}

function uploader(done, said) {
  const input = el("input", {type: "file", accept: ".csv,.tsv,.gz,.db,.sqlite,.sqlite3", id: "upload"});
  input.addEventListener("change", async () => {
    try {
      if (input.files.length) done((await upload(input.files[0])).path);
    } catch (error) {
      said.replaceChildren(problem(error));
    }
  });
  return field("Bring a file into the directory", input);
}

function generator(done, said) {
  const profile = select([["hospital", "hospital admissions"], ["adult", "a census"], ["survey", "a household survey"]], "hospital");
  const rows = el("input", {type: "number", min: "1", value: "2000"});
  const go = async () => {
    try {
      const path = profile.value + ".csv";
      await job("data/generate", {profile: profile.value, rows: Number(rows.value), path});
      done(path);
    } catch (error) {
      said.replaceChildren(problem(error));
    }
  };
  return el("div", {class: "row"}, field("Synthetic data", profile), field("Records", rows), button("Make it", go, {id: "generate"}));
}

function database(pick) {
  const address = el("input", {size: "44", placeholder: "sqlite:file.db?table=name"});
  return el("div", {class: "row"}, field("A database", address, "or postgresql://user@host/database?table=name"),
    button("Open", () => address.value && pick(address.value.trim())));
}

export async function show(main) {
  const {files} = await api("files");
  const place = el("div", {id: "opened"}), said = el("div"), list = el("div");
  const pick = (path) => open(path, place);
  const added = async (path) => {
    list.replaceChildren(fileList((await api("files")).files, pick));
    pick(path);
  };
  list.append(fileList(files, pick));
  main.append(
    el("p", {}, "Choose the table that is to be anonymized. It stays in this directory; nothing is sent anywhere."),
    el("div", {class: "columns"},
      el("section", {class: "card"}, el("h2", {}, "Tables here"), list),
      el("section", {class: "card"}, el("h2", {}, "From elsewhere"), uploader(added, said), database(pick), generator(added, said), said)),
    place);
  if (state.data) await open(state.data, place);
}
