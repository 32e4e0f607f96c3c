// The clusters as cards.

const FEW = 4;

function showCards() {
  const found = sortedClusters().filter((cluster) => !state.query || mentions(cluster, state.query));
  const shown = found.slice(0, state.cards);
  byId("cards").replaceChildren(...shown.map(card));
  byId("found").textContent = `${foundInWords(found.length, shown.length)}.`;
  byId("more").hidden = shown.length === found.length;
}

function foundInWords(found, shown) {
  const all = `${found} of ${counted(state.k, "cluster")}`;
  if (!found && state.query) return `${all}: the search looks at names, numbers and sizes of clusters, and at what sets them apart, such as ${searchable()}`;
  return shown < found ? `${all}, the first ${shown} shown` : all;
}

// Something that a search would find.
function searchable() {
  const words = mixture().clusters.flatMap((cluster) => cluster.traits.map((trait) => trait[0]));
  return `“${clipped(words[0] ?? "cluster 0", 40)}”`;
}

function card(cluster) {
  const places = telling(cluster);
  const open = state.open.has(cluster.label);
  const charts = places.slice(0, open ? places.length : FEW).map((n) => chart(cluster, n));
  const traits = cluster.traits.map(([text, here, rest]) => {
    const how = here ? element("span", { class: "muted" }, ` ${here} here, ${rest} elsewhere`) : undefined;
    return element("li", {}, quoted(text), how);
  });
  return element(
    "article",
    { class: open ? "card open" : "card", id: `cluster-${cluster.label}`, tabindex: "-1", "aria-labelledby": `name-${cluster.label}` },
    element("h3", { id: `name-${cluster.label}` }, element("span", { class: "label" }, `Cluster ${cluster.label}`), quoted(cluster.name)),
    ...ofClass(cluster),
    element("p", { class: "figures" }, `${counted(cluster.size, "record")} (${share(cluster.share)}), ${cluster.times} times as dense as the whole table`),
    element("ul", { class: "traits" }, ...traits),
    element("div", { class: "charts" }, ...charts),
    examples(cluster),
    element("footer", {}, allColumns(cluster, places), compareButton(cluster)),
  );
}

// The class of a cluster, where the model is a classifier.
function ofClass(cluster) {
  const name = report.classes[cluster.label];
  return name ? [element("p", { class: "class" }, "Class ", quoted(name))] : [];
}

function chart(cluster, n) {
  const remark = columns[n].remarks ? element("span", {}, ` ${columns[n].remarks}`) : undefined;
  return element("div", { class: "distribution" }, element("h4", {}, quoted(columns[n].name), remark), distribution(cluster, n));
}

// What a button says that shows all columns, or few of them again.
function columnsInWords(shown, open) {
  if (open) return "Show fewer columns";
  return shown < report.n_attributes ? `Show ${shown} of ${report.n_attributes} columns` : `Show all ${shown} columns`;
}

function allColumns(cluster, places) {
  if (places.length <= FEW) return undefined;
  const open = state.open.has(cluster.label);
  const label = columnsInWords(places.length, open);
  const marks = { type: "button", class: "plain", "aria-expanded": String(open), "aria-label": `${label} of cluster ${cluster.label}` };
  return element("button", { ...marks, onclick: () => turn(cluster) }, label);
}

// Opens or closes a card in its place; the keyboard stays on its button.
function turn(cluster) {
  if (!state.open.delete(cluster.label)) state.open.add(cluster.label);
  byId(`cluster-${cluster.label}`).replaceWith(card(cluster));
  const turned = byId(`cluster-${cluster.label}`);
  turned.scrollIntoView();
  turned.querySelector("footer button").focus({ preventScroll: true });
}

function compareButton(cluster) {
  const marks = { type: "button", class: "plain", "aria-label": `Compare cluster ${cluster.label}` };
  return state.k > 1 ? element("button", { ...marks, onclick: () => compareCard(cluster.label) }, "Compare") : undefined;
}

// Typical records, in the columns in which the cluster differs most; of the chosen number of clusters.
function examples(cluster) {
  const records = state.k === report.chosen ? report.examples[cluster.label] : undefined;
  if (!records?.length) return undefined;
  const places = report.telling[cluster.label];
  const named = (row) => (report.names[row] ? [" ", quoted(report.names[row], { class: "record" })] : []);
  const heads = records.map((record) => element("th", { scope: "col" }, grouped(record.row), ...named(record.row)));
  const head = element("tr", {}, element("th", { scope: "col" }, "Row"), ...heads);
  const body = places.map((n, i) => element("tr", {}, element("th", { scope: "row" }, quoted(columns[n].name)), ...records.map((record) => element("td", {}, quoted(record.cells[i])))));
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
  const region = { class: "scroll", tabindex: "0", role: "region", "aria-label": `Typical records of cluster ${cluster.label}` };
  return element("details", {}, element("summary", {}, `Typical records`), element("div", region, table));
}

function openCard(label) {
  const place = sortedClusters().findIndex((cluster) => cluster.label === label);
  state.query = byId("search").value = "";
  state.cards = Math.max(state.cards, place + 1);
  showCards();
  const opened = byId(`cluster-${label}`);
  opened.scrollIntoView();
  opened.focus({ preventScroll: true });
}
