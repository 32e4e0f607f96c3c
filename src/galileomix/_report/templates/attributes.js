// The columns: what they tell of the clusters, and which of them carry the same information.

const TYPES = { category: "category", ordered: "ordered category", number: "number", date: "date" };
const MOST_ROWS = 60;
const PAIRS = { cell: 20, label: 150, shown: 8 };

const COLUMN_ORDERS = {
  separates: (a, b) => mixture().separates[b] - mixture().separates[a],
  entropy: (a, b) => (columns[b].entropy ?? -1) - (columns[a].entropy ?? -1),
  missing: (a, b) => columns[b].missing - columns[a].missing,
  table: (a, b) => a - b,
};

function showColumns() {
  const order = COLUMN_ORDERS[byId("attribute-sort").value];
  const places = columns.map((_, n) => n).sort((a, b) => order(a, b) || a - b).slice(0, MOST_ROWS);
  const heads = { Column: "", Type: "", Values: "number", Missing: "number", Entropy: "number", Tells: "number", "Stands out in": "" };
  const head = element("tr", {}, ...Object.entries(heads).map(([text, kind]) => element("th", { scope: "col", class: kind }, text)));
  const caption = places.length < report.n_attributes ? element("caption", { class: "note" }, `${places.length} of ${report.n_attributes} columns`) : undefined;
  const table = element("table", {}, caption, element("thead", {}, head), element("tbody", {}, ...places.map(columnRow)));
  byId("attribute-table").replaceChildren(table);
}

function columnRow(n) {
  const column = columns[n];
  const cell = (text) => element("td", { class: "number" }, text);
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, quoted(column.name)),
    element("td", {}, TYPES[column.type] ?? column.type),
    cell(column.n_values ? grouped(column.n_values) : "–"),
    cell(column.missing ? share(column.missing) : "–"),
    cell(column.entropy === null ? "–" : column.entropy.toFixed(2)),
    cell(`${mixture().separates[n]}%`),
    element("td", {}, ...standsOutIn(n)),
  );
}

function standsOutIn(n) {
  const clusters = mixture().clusters.filter((cluster) => level(cluster.differs[n]));
  clusters.sort((a, b) => b.differs[n] - a.differs[n]);
  if (!clusters.length || state.k < 2) return [element("span", { class: "muted" }, "no cluster")];
  const links = clusters.slice(0, 3).map((cluster) => {
    const text = `${cluster.label} (${clipped(standout(cluster, n).text, 24)})`;
    return element("button", { type: "button", class: "plain", onclick: () => openCard(cluster.label) }, quoted(text));
  });
  const more = clusters.length > 3 ? [element("span", { class: "muted" }, ` and ${clusters.length - 3} more`)] : [];
  return [...links.flatMap((link, i) => (i ? [", ", link] : [link])), ...more];
}

function showPairs() {
  const { attributes, shares, information } = report.pairs;
  if (attributes.length < 2) return byId("pairs").replaceChildren(element("p", { class: "muted" }, "There is one column only."));
  const pairs = attributes.flatMap((a, i) => attributes.slice(0, i).map((b, j) => [shares[i][j], b, a, information[i][j]]));
  pairs.sort((a, b) => b[3] - a[3]);
  const said = ([hundredths, a, b]) => [quoted(columns[a].name), " and ", quoted(columns[b].name), `: ${hundredths}%`];
  const list = element("ol", {}, ...pairs.slice(0, PAIRS.shown).map((pair) => element("li", {}, ...said(pair))));
  byId("pairs").replaceChildren(element("div", { tabindex: "0", role: "region", "aria-label": "Dependence of columns" }, matrix(attributes, shares)), list);
  if (attributes.length < report.n_attributes) byId("pairs-scope").textContent = `The ${attributes.length} columns that tell most are shown.`;
}

function matrix(attributes, shares) {
  const side = PAIRS.cell * attributes.length;
  const name = (a) => clipped(columns[a].name, 20);
  const cells = attributes.flatMap((a, i) => attributes.slice(0, i + 1).map((b, j) => {
    const place = { x: PAIRS.label + PAIRS.cell * j, y: PAIRS.cell * i, width: PAIRS.cell - 1, height: PAIRS.cell - 1 };
    const text = `${columns[a].name} and ${columns[b].name}: ${shares[i][j]}%`;
    return drawn("rect", { class: i === j ? "itself" : `level-${level(shares[i][j])}`, ...place }, drawn("title", {}, i === j ? columns[a].name : text));
  }));
  const rows = attributes.map((a, i) => drawn("text", { x: PAIRS.label - 8, y: PAIRS.cell * i + 14, "text-anchor": "end" }, name(a)));
  const below = (j) => ({ transform: `translate(${PAIRS.label + PAIRS.cell * j + 14} ${side + 8}) rotate(-90)`, "text-anchor": "end" });
  const heads = attributes.map((a, j) => drawn("text", below(j), name(a)));
  const said = "How dependent pairs of columns are; those that share most information are listed beside it";
  return picture(PAIRS.label + side, side + PAIRS.label, said, ...cells, ...rows, ...heads);
}
