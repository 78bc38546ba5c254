// A joint run while it goes on: who is connected, which step, bytes, and the ledger as it grows.
import {bytes, count, el, table} from "/lib.js";

const states = {here: "connected", waited: "not connected yet", gone: "left the run", self: "this party"};

function stateOf(name, facts, failed) {
  if (facts.left === name) return "gone";
  if (name === facts.party) return "self";
  return (facts.absent || []).includes(name) && !failed ? "waited" : (facts.absent || []).includes(name) ? "gone" : "here";
}

// Bytes to and from each party, from the lines of the ledger.
function traffic(facts) {
  const sums = new Map();
  for (const line of facts.traffic || []) {
    const sum = sums.get(line.peer) || {sent: 0, received: 0};
    sum.sent += line.sent.bytes;
    sum.received += line.received.bytes;
    sums.set(line.peer, sum);
  }
  return sums;
}

function peers(facts, failed) {
  const sums = traffic(facts);
  return el("ul", {class: "peers", "aria-label": "Parties"}, (facts.parties || []).map((name) => {
    const state = stateOf(name, facts, failed), sum = sums.get(name);
    return el("li", {class: state === "gone" ? "gone" : state === "waited" ? "" : "here", "data-party": name, "data-state": state},
      el("strong", {}, name), el("span", {}, states[state]),
      sum ? el("div", {class: "quiet"}, `${bytes(sum.sent)} sent, ${bytes(sum.received)} received`) : null);
  }));
}

function learned(facts) {
  const rows = facts.learned || [];
  if (!rows.length) return el("p", {class: "quiet"}, "Nothing was learned so far.");
  return table("What this party has learned so far", [
    ["This party learned", (x) => x.says || x.what],
    ["Announced as", (x) => x.promise ? String(x.promise) : "not announced", "number"],
    ["Values", (x) => count(x.count), "number"],
    ["Answers", (x) => count(x.times), "number"],
    ["Step", (x) => x.step]], rows);
}

const fact = (name, value) => el("div", {}, el("dt", {}, name), el("dd", {}, value));

// Shows the facts of a run in a place; `failed` says that it is over without a release.
export function showFacts(place, facts, failed = false) {
  place.dataset.outcome = facts.outcome;
  place.dataset.rounds = facts.rounds || 0;
  place.replaceChildren(peers(facts, failed),
    facts.sent ? el("dl", {class: "facts-line"}, fact("Step", facts.step || ""), fact("Rounds", count(facts.rounds)),
      fact("Sent", bytes(facts.sent.bytes)), fact("Received", bytes(facts.received.bytes))) : "",
    ...(facts.sent ? [el("h3", {}, facts.outcome === "running" ? "The ledger so far" : "The ledger"), learned(facts)] : []));
}
