// What was changed on a page and not saved yet, by name. It survives other pages and reloads of this window.
import {api, button, el, problem} from "/lib.js";

const all = JSON.parse(sessionStorage.getItem("drafts") || "{}");

function keep() {
  try {
    sessionStorage.setItem("drafts", JSON.stringify(all));
  } catch {
    // Too large for the browser to keep over a reload: other pages still have it.
  }
  dispatchEvent(new Event("drafts"));
}

// A draft has the page that made it and what that page needs; a file's has {path, text, base}: the text as it is now, and
// as the file was. edits are changes of forms on their way into the text.
export const draftOf = (name) => all[name];
export const drafts = () => Object.entries(all).map(([name, draft]) => ({name, ...draft}));

export function putDraft(name, draft) {
  all[name] = draft;
  keep();
}

export function dropDraft(name) {
  delete all[name];
  keep();
}

// A file's draft; without any difference there is none.
export function keepText(page, path, text, base, more = {}) {
  if (text === base && !(more.edits || []).length) dropDraft(path);
  else putDraft(path, {page, path, text, base, ...more});
}

// Changes that are on their way: whoever shows another page waits for them.
let way = Promise.resolve();
export const settled = () => way;
export function inTurn(work) {
  way = way.then(work);
  return way;
}

export async function saveDraft(path) {
  const {page, text, version} = all[path];
  await api(page === "study" ? "study/save" : "hierarchies/save", {path, text, version});
  dropDraft(path);
}

// Says that a file has changes and that the file counts here, with a button that saves them.
export function unsavedFile(path, after) {
  const said = el("div", {class: "warning unsaved", role: "status", "data-path": path});
  const save = button("Save " + path, async () => {
    try {
      await saveDraft(path);
      await after();
    } catch (error) {
      said.append(problem(error));
    }
  });
  said.append(el("p", {}, `${path} has changes that are not saved. Here the file counts, without them. `), save);
  return said;
}
