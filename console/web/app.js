// The shell: navigation, and one module for each page. A module exports show(main), which fills the page.
import {api, begin, el, problem, turnPage} from "/lib.js";
import {drafts, settled} from "/drafts.js";
import * as data from "/data.js";
import * as hierarchies from "/hierarchies.js";
import * as study from "/study.js";
import * as run from "/run.js";
import * as together from "/together.js";
import * as reports from "/reports.js";

const pages = [["data", "Data", data], ["hierarchies", "Hierarchies", hierarchies], ["study", "Study", study],
  ["run", "Run", run], ["together", "Together", together]];
const readOnlyPages = [["reports", "Reports", reports]];
let shown = pages;

let turn = 0;

// Every page gets a place of its own: what a page that was left still does happens out of sight.
async function show() {
  const mine = ++turn;
  if (document.getElementById("main").contains(document.activeElement)) document.activeElement.blur(); // takes what was typed
  await settled();
  if (mine !== turn) return;
  turnPage();
  const name = location.hash.slice(1).split("/")[0];
  const [id, title, page] = shown.find(([known]) => known === name) || shown[0];
  for (const link of document.querySelectorAll("#pages a"))
    if (link.getAttribute("href") === "#" + id) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  document.title = title + " · Kith console";
  const main = document.getElementById("main"), place = el("div");
  main.replaceChildren(el("h1", {}, title), place);
  main.dataset.page = id;
  for (const said of ["ready", "checked", "drawn"]) delete main.dataset[said]; // tests wait for these
  try {
    await page.show(place);
  } catch (error) {
    place.append(problem(error));
  }
  if (mine === turn) main.dataset.ready = id;
}

// Pages with changes that are not saved have a mark; who closes the window is asked.
function markPages() {
  const unsaved = new Set(drafts().map((draft) => draft.page));
  for (const link of document.querySelectorAll("#pages a")) {
    link.querySelector(".mark")?.remove();
    if (unsaved.has(link.getAttribute("href").slice(1)))
      link.append(el("span", {class: "mark", title: "not saved"}, el("span", {"aria-hidden": "true"}, " •"), el("span", {class: "hidden"}, " (not saved)")));
  }
}

function explainToken(main) {
  main.replaceChildren(el("h1", {}, "This window has no token"),
    el("p", {}, "Open the address that the terminal shows: it works once, and a new one is shown whenever one was used."));
}

async function start() {
  const main = document.getElementById("main");
  document.getElementById("copy").addEventListener("click", () =>
    navigator.clipboard.writeText(document.getElementById("command").textContent));
  try {
    if (!await begin()) return explainToken(main);
    const {directory, readOnly} = await api("files");
    document.getElementById("directory").textContent = directory;
    if (readOnly) shown = readOnlyPages;
  } catch (error) {
    explainToken(main);
    main.append(problem(error));
    return;
  }
  document.getElementById("pages").append(...shown.map(([id, title]) => el("a", {href: "#" + id}, title)));
  addEventListener("hashchange", show);
  addEventListener("drafts", markPages);
  addEventListener("beforeunload", (leaving) => { if (drafts().length) leaving.preventDefault(); });
  markPages();
  show();
}

start();
