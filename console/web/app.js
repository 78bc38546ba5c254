// The shell: navigation, and one module for each page. A module exports show(main), which fills the page.
import {api, begin, el, problem} from "/lib.js";
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

async function show() {
  const name = location.hash.slice(1).split("/")[0];
  const [id, title, page] = shown.find(([known]) => known === name) || shown[0];
  for (const link of document.querySelectorAll("#pages a"))
    if (link.getAttribute("href") === "#" + id) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  document.title = title + " · Kith console";
  const main = document.getElementById("main");
  main.replaceChildren(el("h1", {}, title));
  main.dataset.page = id;
  try {
    await page.show(main);
  } catch (error) {
    main.append(problem(error));
  }
  main.dataset.ready = id; // tests wait for it
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
    if (readOnly) {
      shown = readOnlyPages;
      document.querySelector("footer").hidden = true;
    }
  } catch (error) {
    explainToken(main);
    main.append(problem(error));
    return;
  }
  document.getElementById("pages").append(...shown.map(([id, title]) => el("a", {href: "#" + id}, title)));
  addEventListener("hashchange", show);
  show();
}

start();
