// Forms of a study. They show its outline; a change is one edit of the text, set(path, yaml).
import {button, el, field, select} from "/lib.js";

const roles = ["identifying", "quasi-identifying", "sensitive", "insensitive"];
const types = ["string", "integer", "decimal", "date"];
const measures = [["lm", "lm: share of detail given up"], ["em", "em: entropy"], ["entropy", "entropy"], ["tree", "tree"], ["mi", "mi: mutual information"],
  ["precision", "precision: levels"], ["pmi", "pmi"], ["wmi", "wmi"], ["dm", "dm: class sizes"], ["arx-loss", "arx-loss"]];
const algorithms = ["weave", "sequential", "mondrian", "agglomerative", "k-member", "hilbert", "flash", "ola", "incognito", "breadth-first", "depth-first", "datafly", "top-down"];
// What a model is about, and how one begins.
const models = {
  "k-anonymity": ["each looks like at least k − 1 others", () => "{model: k-anonymity, k: 5}"],
  "l-diversity": ["groups have several sensitive values", (s) => `{model: l-diversity, variant: distinct, l: 2, attribute: ${s}}`],
  "t-closeness": ["groups resemble the whole table", (s) => `{model: t-closeness, t: 0.3, attribute: ${s}}`],
  "p-sensitive": ["k-anonymity with p sensitive values", (s) => `{model: p-sensitive, p: 2, k: 5, attribute: ${s}}`],
  "alpha-k": ["k-anonymity, no value above the share alpha", (s) => `{model: alpha-k, alpha: 0.5, k: 5, attribute: ${s}}`],
  "beta-likeness": ["no value gains more than beta", (s) => `{model: beta-likeness, beta: 2, attribute: ${s}}`],
};

// A value as it is written in a study: words and numbers as they are, others in quotes.
export const yamlOf = (value) => /^[\w.+-]+$/.test(value) && !/^[.+-]+$/.test(value) ? value : JSON.stringify(value);

export function describeHierarchy(h) {
  if (h === undefined) return "suppress";
  if (typeof h === "string") return h;
  const [kind] = Object.keys(h);
  return kind === undefined ? "" : kind + " " + (Array.isArray(h[kind]) ? h[kind].join(", ") : h[kind]);
}

function choice(key, options, value, set, optional = false) {
  const all = (optional ? [["", "default"]] : []).concat(options);
  if (value !== undefined && !all.some((o) => (Array.isArray(o) ? o[0] : o) === value)) all.push(value);
  const control = select(all, value ?? "", () => set(key, control.value === "" ? undefined : yamlOf(control.value)));
  control.dataset.key = key;
  return control;
}

function input(key, value, set, typing) {
  let typed = false;
  const now = () => control.value.trim() === "" ? undefined : yamlOf(control.value.trim());
  const leave = () => { if (typed) set(key, now()); typed = false; };
  const control = el("input", {value: value ?? "", "data-key": key, oninput: () => { typed = true; typing(key, now()); }, onchange: leave, onblur: leave});
  return control;
}

function columnRow(column, i, set) {
  const name = column.name || "";
  // Names with dots are no part of a path: the number is.
  const at = "columns." + (/^[^.]+$/.test(name) && !/^\d+$/.test(name) ? name : i);
  const label = (what, control) => { control.setAttribute("aria-label", `${what} of ${name}`); return control; };
  const quasi = column.role === "quasi-identifying";
  return el("tr", {},
    el("th", {scope: "row"}, el("span", {"data-key": at}, name)),
    el("td", {}, label("role", choice(at + ".role", roles, column.role, set))),
    el("td", {}, label("type", choice(at + ".type", types, column.type || "string", set))),
    el("td", {}, quasi ? el("a", {href: "#hierarchies/" + encodeURIComponent(name), "data-key": at + ".hierarchy"}, describeHierarchy(column.hierarchy)) : ""),
    el("td", {}, button("×", () => set(at), {"aria-label": `Leave ${name} out`, title: "Leave it out"})));
}

function columnsForm(outline, set) {
  const columns = Array.isArray(outline.columns) ? outline.columns : [];
  return el("section", {class: "card"}, el("h2", {}, "Columns"),
    el("p", {class: "quiet"}, "Quasi-identifying cells are made coarser along their hierarchy; sensitive ones are protected by the models below; what is not listed never reaches the release."),
    el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Columns of the study"}, el("table", {},
      el("thead", {}, el("tr", {}, ["Column", "Role", "Type", "Hierarchy", ""].map((h) => el("th", {scope: "col"}, h)))),
      el("tbody", {}, columns.map((column, i) => columnRow(column, i, set))))));
}

function modelRow(model, i, set, typing) {
  const at = "privacy." + i;
  const parameters = Object.entries(model).filter(([key, value]) => key !== "model" && typeof value === "string");
  return el("div", {class: "row model"},
    el("p", {class: "grow"}, el("strong", {"data-key": at}, model.model || "?"), el("br"), el("span", {class: "quiet"}, (models[model.model] || [""])[0])),
    parameters.map(([key, value]) => {
      const control = input(at + "." + key, value, set, typing);
      control.size = Math.max(4, value.length);
      return field(key, control);
    }),
    button("Remove", () => set(at), {"aria-label": `Remove ${model.model}`}));
}

function privacyForm(outline, set, typing) {
  const list = Array.isArray(outline.privacy) ? outline.privacy : [];
  const sensitive = (Array.isArray(outline.columns) ? outline.columns : []).find((c) => c.role === "sensitive");
  const added = select([["", "Add a model…"], ...Object.entries(models).filter(([name]) => name === "k-anonymity" || sensitive)
    .map(([name, [about]]) => [name, `${name}: ${about}`])], "", () => {
    if (added.value) set("privacy.+", models[added.value][1](sensitive ? yamlOf(sensitive.name) : ""));
  });
  added.setAttribute("aria-label", "Add a privacy model");
  return el("section", {class: "card"}, el("h2", {}, "Privacy"), el("p", {class: "quiet"}, "What every release must guarantee."),
    el("div", {"data-key": "privacy"}, list.map((model, i) => modelRow(model, i, set, typing))), added);
}

// Whom models count: the key unit.
function unitForm(outline, set) {
  const columns = (Array.isArray(outline.columns) ? outline.columns : []).filter((c) => c.role === "identifying" && c.name);
  const unit = Array.isArray(outline.unit) ? `[${outline.unit.map(yamlOf).join(", ")}]` : outline.unit;
  const control = choice("unit", [["row", "Yes"], ...columns.map(({name}) => [name, `No: rows with one ${name} are of one`])], unit, set, true);
  control.options[0].textContent = "I do not say: models count rows"; // and unit is not in the text
  return el("section", {class: "card"}, el("h2", {}, "Whose the rows are"),
    field("Is each row one person?", control, "unit: models then count people, and the column that tells them apart has the role identifying"));
}

function restForm(outline, set, typing) {
  const utility = outline.utility && typeof outline.utility === "object" ? outline.utility : {};
  return el("section", {class: "card"}, el("h2", {}, "Utility and search"),
    el("div", {class: "row"},
      field("Name of the study", input("study", outline.study, set, typing)),
      field("What counts as loss", choice("utility.measure", measures, utility.measure, set, true)),
      field("Records that may be left out", input("utility.suppression", utility.suppression, set, typing), "a share, such as 0.02"),
      field("Algorithm", choice("algorithm", algorithms, outline.algorithm, set, true))));
}

// set(key, yaml) changes the text; typing(key, yaml) is told while a field is typed into.
export const forms = (outline, set, typing) => [columnsForm(outline, set), unitForm(outline, set), privacyForm(outline, set, typing), restForm(outline, set, typing)];
