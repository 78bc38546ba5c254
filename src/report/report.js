/* Draws each figure's table as a chart and folds the table below it. The tables hold all figures, so the page
 * is complete without this script. */
(() => {
  "use strict";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const cut = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

  function read(figure) {
    const rows = [...figure.querySelectorAll("tbody tr")].map((row) => ({
      label: row.querySelector("th").textContent,
      values: [...row.querySelectorAll("td[data-v]")].map((cell) => ({
        shown: cell.textContent,
        number: cell.dataset.v === "" ? NaN : Number(cell.dataset.v),
      })),
    })).filter((row) => row.values.length > 0);
    const heads = [...figure.querySelectorAll("thead th")].map((cell) => cell.textContent);
    return { rows, heads };
  }

  function tooltip(data) {
    return {
      callbacks: {
        title: (items) => items.map((item) => cut(data.rows[item.dataIndex].label, 120)),
        label: (item) => {
          const row = data.rows[item.dataIndex];
          return row.values.length === 1 ? row.values[0].shown
            : data.points ? data.heads.slice(1, 3).map((head, i) => head + ": " + row.values[i].shown)
            : item.dataset.label + ": " + row.values[item.datasetIndex].shown;
        },
      },
    };
  }

  function scale(title, share) {
    return {
      beginAtZero: true,
      title: { display: title !== "", text: title, color: colour("--soft") },
      grid: { color: colour("--line") },
      ticks: {
        color: colour("--soft"),
        maxTicksLimit: 6,
        callback: (value) => (share ? Math.round(1000 * value) / 10 + "%"
          : Intl.NumberFormat("en", { notation: "compact" }).format(value)),
      },
    };
  }

  function settings(figure, data) {
    const kind = figure.dataset.kind, axis = figure.dataset.axis;
    const share = /share|error/.test(axis);
    const colours = [colour("--accent"), colour("--second")];
    const labels = data.rows.map((row) => cut(row.label, 24));
    const options = {
      responsive: true, maintainAspectRatio: false, animation: false,
      plugins: { legend: { display: kind === "pairs", labels: { color: colour("--ink") } }, tooltip: tooltip(data) },
    };
    if (kind === "dots") {
      data.points = true;
      options.scales = { x: scale(data.heads[1], /risk/.test(data.heads[1])), y: scale(data.heads[2], false) };
      return { type: "scatter", options, data: { datasets: [{ backgroundColor: colours[0], pointRadius: 5,
        data: data.rows.map((row) => ({ x: row.values[0].number, y: row.values[1].number })) }] } };
    }
    const flat = kind !== "columns";
    options.indexAxis = flat ? "y" : "x";
    const names = { grid: { display: false }, ticks: { color: colour("--ink"), autoSkip: false } };
    options.scales = flat ? { x: scale(axis, share), y: names } : { x: names, y: scale(axis, share) };
    const n = kind === "pairs" ? 2 : 1;
    return { type: "bar", options, data: { labels, datasets: Array.from({ length: n }, (_, i) => ({
      label: data.heads[i + 1], backgroundColor: n === 2 ? colours[1 - i] : colours[0],
      data: data.rows.map((row) => row.values[i].number), maxBarThickness: 22 })) } };
  }

  const charts = new Map();
  function draw(figure) {
    const data = read(figure);
    if (data.rows.length === 0) return;
    const old = charts.get(figure);
    if (old) {
      old.destroy();
      figure.querySelector(".plot").remove();
    }
    const plot = document.createElement("div"), canvas = document.createElement("canvas");
    const bars = data.rows.length * (figure.dataset.kind === "pairs" ? 2 : 1);
    plot.className = "plot";
    plot.style.height = (/columns|dots/.test(figure.dataset.kind) ? 260 : 70 + 22 * bars) + "px";
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", figure.querySelector("figcaption").textContent + ": chart of the figures below");
    plot.append(canvas);
    figure.querySelector("details").before(plot);
    charts.set(figure, new Chart(canvas, settings(figure, data)));
  }

  const figures = [...document.querySelectorAll("figure.chart")];
  const details = figures.map((figure) => figure.querySelector("details"));
  /* Charts are drawn as they come into view: a report may have a hundred. */
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries)
      if (entry.isIntersecting) {
        seen.unobserve(entry.target);
        draw(entry.target);
      }
  }, { rootMargin: "600px" });
  for (const figure of figures) {
    figure.querySelector("details").open = false;
    seen.observe(figure);
  }
  dark.addEventListener("change", () => [...charts.keys()].forEach(draw));
  addEventListener("beforeprint", () => {
    figures.forEach((figure) => charts.has(figure) || draw(figure));
    details.forEach((d) => { d.open = true; });
  });
  addEventListener("afterprint", () => details.forEach((d) => { d.open = false; }));
})();
