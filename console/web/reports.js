// Reports of the directory: what --read-only serves.
import {api, bytes, el, table, link} from "/lib.js";

export async function show(main) {
  const {files} = await api("files");
  const reports = files.filter((file) => file.kind === "report");
  if (!reports.length) {
    main.append(el("p", {}, "There is no report in this directory. ", el("code", {}, "kith report"), " makes one."));
    return;
  }
  const frame = el("iframe", {title: "Report", class: "report", sandbox: "allow-scripts", hidden: true});
  const open = async (path) => {
    frame.src = await link(path);
    frame.hidden = false;
    frame.scrollIntoView();
  };
  main.append(table("Reports", [
    ["Report", (file) => el("button", {type: "button", class: "link", onclick: () => open(file.path)}, file.path)],
    ["Made", (file) => new Date(1000 * file.modified).toLocaleString()],
    ["Size", (file) => bytes(file.bytes), "number"]], reports), frame);
}
