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
  return column.type + (column.decimal ? " (decimal " + column.decimal + ")" : column.format ? " " + column.format : "");
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
      const made = await job("study/draft", {data, path: path.value, ...reading});
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

// Separator, encoding and header of the data that is open; other pages read it in the same way.
export const reading = JSON.parse(sessionStorage.getItem("reading") || "{}");

async function open(data, place) {
  const bar = progress();
  place.replaceChildren(bar.node);
  try {
    const {description, pictures, rows} = await job("data/open", {data, ...reading}, bar.told);
    state.data = data;
    const studies = (await api("files")).files.filter((file) => file.kind === "study").map((file) => file.path);
    place.replaceChildren(
      el("h2", {}, data), el("p", {}, `${count(description.records)} records, ${description.columns.length} columns`),
      showRisk(description) || "", showColumns(description, pictures), showRows(description, rows), startStudy(data, studies));
  } catch (error) {
    place.replaceChildren(problem(error));
  }
  place.dataset.open = data;
}

function fileList(files, pick) {
  const data = files.filter((file) => file.kind === "data");
  if (!data.length) return el("p", {class: "quiet"}, "There is no table in this directory yet.");
  return el("ul", {class: "files"}, data.map((file) => el("li", {},
    button(file.path, () => pick(file.path), {class: "link"}), " ", el("span", {class: "quiet"}, bytes(file.bytes)))));
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

function csvSettings() {
  const keep = (name, value) => {
    reading[name] = value;
    sessionStorage.setItem("reading", JSON.stringify(reading));
  };
  const separator = select([["", "detected"], [",", ", comma"], [";", "; semicolon"], ["\t", "tab"], ["|", "|"]], reading.separator || "", () => keep("separator", separator.value));
  const encoding = el("input", {placeholder: "UTF-8", value: reading.encoding || "", id: "csv-encoding", onchange: () => keep("encoding", encoding.value)});
  const header = el("input", {type: "checkbox", checked: !!reading.noHeader, id: "csv-no-header", onchange: () => keep("noHeader", header.checked)});
  return el("details", {}, el("summary", {}, "How the file is written"),
    el("div", {class: "row"}, field("Separator", separator), field("Encoding", encoding), field("The first line is a record", header)));
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
      el("section", {class: "card"}, el("h2", {}, "Tables here"), list, csvSettings()),
      el("section", {class: "card"}, el("h2", {}, "From elsewhere"), uploader(added, said), database(pick), generator(added, said), said)),
    place);
  if (state.data) await open(state.data, place);
}
