// The map: clusters by columns, dark where a cluster differs from the whole table.

const MAP = { columns: 40, wordy: 11, narrowest: 1.5, names: 10, room: 64 };

function showMap() {
  const clusters = sortedClusters().slice(0, state.rows);
  const places = mapColumns();
  const wordy = places.length <= MAP.wordy;
  const table = element("table", { class: wordy ? "map wordy" : "map", role: "grid", "aria-labelledby": "map-title" });
  table.append(mapHead(places), element("tbody", {}, ...clusters.map((cluster) => mapRow(cluster, places, wordy))));
  table.style.minWidth = `${MAP.names + MAP.narrowest * places.length}rem`;
  table.querySelector("td[data-column]")?.setAttribute("tabindex", "0");
  for (const kind of ["pointerover", "focusin"]) table.addEventListener(kind, explainCell);
  table.addEventListener("keydown", moveInMap);
  table.addEventListener("click", tapInMap);
  byId("map-table").replaceChildren(table);
  byId("map-more").hidden = state.k < 2 || clusters.length === mixture().clusters.length;
  for (const id of ["map-table", "map-legend", "map-detail", "map-tools"]) byId(id).hidden = state.k < 2;
  byId("map-words").hidden = state.k < 2 || !wordy;
  fitWords();
  byId("map-scope").textContent = mapScope(clusters.length, places.length);
}

function mapColumns() {
  const best = columns.map((_, n) => n).sort((a, b) => mixture().separates[b] - mixture().separates[a]);
  const chosen = best.slice(0, MAP.columns);
  return state.order === "table" ? chosen.sort((a, b) => a - b) : chosen;
}

function mapScope(rows, places) {
  if (state.k < 2) return "There is one cluster, the whole table: nothing sets it apart. Its card shows how the columns are distributed.";
  const said = ["The stronger the colour, the more the cluster differs from the whole table in that column."];
  if (rows < state.k) said.push(`${rows} of ${state.k} clusters are shown, by ${state.sort}.`);
  if (places < report.n_attributes) said.push(`The ${places} columns that tell most, of ${report.n_attributes}, are shown.`);
  return said.join(" ");
}

function mapHead(places) {
  const heads = places.map((n) => element("th", { scope: "col" }, element("div", { class: "column", title: columns[n].name }, quoted(columns[n].name))));
  return element("thead", {}, element("tr", {}, element("td", { class: "corner" }), ...heads));
}

function mapRow(cluster, places, wordy) {
  const head = element(
    "th",
    { scope: "row" },
    element(
      "span",
      { class: "row", title: cluster.name },
      element("span", { class: "label" }, String(cluster.label)),
      ...(report.classes[cluster.label] ? [quoted(report.classes[cluster.label], { class: "class" })] : []),
      quoted(cluster.name, { class: "name" }),
      element("span", { class: "count" }, grouped(cluster.size)),
    ),
  );
  return element("tr", {}, head, ...places.map((n) => mapCell(cluster, n, wordy)));
}

function mapCell(cluster, n, wordy) {
  const darkness = level(cluster.differs[n]);
  const { text, said } = standout(cluster, n);
  const label = darkness ? (said.startsWith(text) ? said : `${text}: ${said}`) : `as in the whole table: ${said}`;
  const marks = { class: `level-${darkness}`, tabindex: "-1", "aria-label": label, "data-cluster": cluster.label, "data-column": n };
  return element("td", marks, ...(wordy && darkness ? [quoted(text)] : []));
}

// Words of which hardly more than an ellipsis would be left are not shown.
function fitWords() {
  for (const word of document.querySelectorAll(".map.wordy td bdi")) {
    const room = word.parentNode.clientWidth;
    word.classList.remove("cut");
    word.classList.toggle("cut", room < MAP.room && word.parentNode.scrollWidth > room);
  }
}

function explainCell(event) {
  const cell = event.target.closest("td[data-column]");
  if (!cell) return;
  const cluster = clusterOf(Number(cell.dataset.cluster));
  const n = Number(cell.dataset.column);
  byId("map-detail").replaceChildren(
    `Cluster ${cluster.label}, `,
    element("strong", {}, quoted(columns[n].name)),
    ": ",
    quoted(standout(cluster, n).said),
    `. ${cluster.differs[n]}% of its records differ from the whole table here.`,
  );
}

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function moveInMap(event) {
  const cell = event.target.closest("td");
  if (!cell) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    return openFromMap(event);
  }
  const step = STEPS[event.key];
  if (!step) return;
  event.preventDefault();
  const row = [...cell.closest("tbody").rows][cell.parentNode.rowIndex - 1 + step[0]];
  const next = row?.cells[cell.cellIndex + step[1]];
  if (next?.matches("td")) {
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}

// A finger cannot point: its first tap on a cell explains it, the second opens the cluster.
function tapInMap(event) {
  const cell = event.target.closest("td[data-column]");
  const again = !cell || cell === state.tapped;
  state.tapped = cell;
  if (again || !matchMedia("(pointer: coarse)").matches) openFromMap(event);
}

function openFromMap(event) {
  const cell = event.target.closest("td, th");
  const cluster = cell?.dataset.cluster ?? cell?.parentNode.querySelector("td[data-cluster]")?.dataset.cluster;
  if (cell?.closest("tbody") && cluster !== undefined) openCard(Number(cluster));
}

function showLegend() {
  if (matchMedia("(pointer: coarse)").matches) byId("map-detail").textContent = "Tap a cell to see what it says, and again to open the cluster.";
  const texts = ["below 20% differ", "20%", "35%", "50%", "65%", "80% or more"];
  const swatch = (i) => drawn("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, drawn("rect", { class: `level-${i}`, width: 10, height: 10, rx: 1.5 }));
  byId("map-legend").replaceChildren(...texts.map((text, i) => element("span", {}, swatch(i), text)));
}
