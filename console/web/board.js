// The board of all runs: a chart of loss against risk, a table, and two of them column by column.
import {button, count, el, job, percent, problem, progress, showCommand, table} from "/lib.js";

const svg = (tag, attributes, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

const lossOf = (run) => run.summary.loss?.lm ?? undefined;
const riskOf = (run) => {
  const {risk, smallest_class: smallest} = run.summary;
  if (risk && risk.after) return risk.after.prosecutor_highest;
  return smallest > 0 ? 1 / smallest : undefined; // a party measures no risk: the smallest class bounds it
};
export const short = (run) => run.directory.replace(/^runs\//, "");

// A round number that is not below the value, so that the scale has readable ends.
function roof(value) {
  const steps = [0.01, 0.02, 0.04, 0.08, 0.12, 0.2, 0.28, 0.4, 0.6, 0.8, 1];
  return steps.find((step) => value <= step) || 1;
}

// Groups of runs whose dots are so close that their numbers would cover each other.
function overlapping(runs, place) {
  const groups = [];
  for (const run of runs) {
    const [x, y] = place(run);
    const near = groups.find(([first]) => Math.abs(place(first)[0] - x) < 16 && Math.abs(place(first)[1] - y) < 14);
    if (near) near.push(run);
    else groups.push([run]);
  }
  return groups;
}

export function chart(runs, chosen) {
  const shown = runs.filter((run) => lossOf(run) !== undefined && riskOf(run) !== undefined);
  if (!shown.length) return null;
  const width = 480, height = 260, left = 58, bottom = 40, top = 14, right = 26;
  const mostX = roof(Math.max(...shown.map(lossOf)) * 1.05), mostY = roof(Math.max(...shown.map(riskOf)) * 1.05);
  const x = (v) => left + (width - left - right) * v / mostX, y = (v) => height - bottom - (height - bottom - top) * v / mostY;
  const parts = [];
  for (let i = 0; i <= 4; i++) {
    parts.push(svg("line", {x1: left, x2: width - right, y1: y(mostY * i / 4), y2: y(mostY * i / 4)}));
    parts.push(svg("text", {x: left - 8, y: y(mostY * i / 4) + 4, "text-anchor": "end"}, percent(mostY * i / 4, mostY < 0.1 ? 1 : 0)));
    parts.push(svg("text", {x: x(mostX * i / 4), y: height - bottom + 18, "text-anchor": "middle"}, percent(mostX * i / 4, mostX < 0.1 ? 1 : 0)));
  }
  parts.push(svg("text", {x: (width + left) / 2, y: height - 4, "text-anchor": "middle"}, "information lost (lm)"));
  parts.push(svg("text", {x: 12, y: height / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${height / 2})`}, "highest risk"));
  for (const together of overlapping(shown, (run) => [x(lossOf(run)), y(riskOf(run))])) {
    const [at] = together, numbers = together.map((run) => runs.indexOf(run) + 1).join(", ");
    parts.push(svg("g", {class: together.some((run) => chosen.has(run.directory)) ? "dot chosen" : "dot"},
      svg("title", {}, together.map((run) => `${short(run)}: loss ${percent(lossOf(run))}, highest risk ${percent(riskOf(run))}`).join("\n")),
      ...together.map((run) => svg("circle", {cx: x(lossOf(run)), cy: y(riskOf(run)), r: 6})),
      svg("text", {x: x(lossOf(at)) + 9, y: y(riskOf(at)) - 7}, numbers)));
  }
  return el("figure", {class: "board"},
    svg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Loss against risk of ${shown.length} runs; the table has the figures`}, ...parts),
    el("figcaption", {}, "Numbers are those of the table. Down and to the left is better: less risk, less lost."));
}

const models = (run) => (run.summary.models || []).map((m) => m.model + (m.k ? ` ${m.k}` : m.l ? ` ${m.l}` : "")).join(", ");

function how(run) {
  const s = run.summary;
  const joint = s.protocol && s.protocol.name ? `joint, ${s.protocol.name}` : s.algorithm || "";
  return s.interrupted ? joint + ", stopped: the best so far" : joint;
}

export function runTable(runs, chosen, actions) {
  const columns = [
    ["Run", (run) => el("div", {}, el("span", {class: "name"}, `${runs.indexOf(run) + 1}. ${short(run)}`), el("div", {class: "actions"},
      button("Compare", () => actions.choose(run), {"aria-pressed": String(chosen.has(run.directory)), "aria-label": "Compare " + short(run), disabled: !run.release}),
      run.report ? button("Report", () => actions.report(run), {"aria-label": "Report of " + short(run)}) : null,
      run.release ? button("Release", () => actions.release(run), {"aria-label": "Release " + short(run)}) : null))],
    ["Loss (lm)", (run) => lossOf(run) === undefined ? "" : percent(lossOf(run)), "number"],
    ["Highest risk", (run) => riskOf(run) === undefined ? "" : percent(riskOf(run)), "number"],
    ["Study", (run) => el("span", {}, run.summary.study || "", el("br"), el("span", {class: "quiet"}, models(run)))],
    ["How", how],
    ["Records", (run) => count(run.summary.records), "number"],
    ["Classes", (run) => run.summary.classes === undefined ? "" : count(run.summary.classes), "number"],
    ["Made", (run) => new Date(1000 * run.modified).toLocaleString()],
  ];
  return table("All runs", columns, runs);
}

function meter(share, label) {
  return svg("svg", {class: "meter", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": label},
    svg("rect", {class: "whole", width: 100, height: 10}), svg("rect", {width: Math.max(0, Math.min(1, share)) * 100, height: 10}));
}

function lost(run, column) {
  const loss = (run.summary.attribute_loss || {})[column];
  return loss ? el("span", {}, meter(loss.lm, `${percent(loss.lm)} lost`), " ", percent(loss.lm)) : el("span", {class: "quiet"}, "as it is");
}

const frequent = (column) => el("ul", {class: "frequent"}, ((column || {}).frequent || []).slice(0, 4).map((f) => el("li", {}, `${f.value === "" ? "(empty)" : f.value} · ${percent(f.share)}`)));

// Two runs column by column: what each lost, how many values are left, and which are the most frequent.
export async function compare(place, first, second) {
  const bar = progress();
  place.replaceChildren(el("h2", {}, `${short(first)} and ${short(second)}`), bar.node);
  try {
    const both = await job("run/compare", {first: first.directory, second: second.directory}, bar.told);
    const others = new Map(both.second.columns.map((c) => [c.name, c]));
    const names = [...both.first.columns.map((c) => c.name), ...both.second.columns.map((c) => c.name).filter((n) => !both.first.columns.some((c) => c.name === n))];
    const own = new Map(both.first.columns.map((c) => [c.name, c]));
    const distinct = (c) => c ? count(c.distinct) : "not there";
    bar.node.replaceWith(table("Comparison column by column", [
      ["Column", (name) => name],
      ["Lost: " + short(first), (name) => lost(first, name)],
      ["Lost: " + short(second), (name) => lost(second, name)],
      ["Values: " + short(first), (name) => distinct(own.get(name)), "number"],
      ["Values: " + short(second), (name) => distinct(others.get(name)), "number"],
      ["Most frequent: " + short(first), (name) => frequent(own.get(name))],
      ["Most frequent: " + short(second), (name) => frequent(others.get(name))],
    ], names));
    showCommand(both.command);
  } catch (error) {
    bar.node.replaceWith(problem(error));
  }
  place.scrollIntoView();
}
