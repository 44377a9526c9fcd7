// Sorting: every heading of a column becomes a button. Numbers are compared as numbers if all of the column's values are numbers, text
// as people do; cells without a value come last in both directions, equal ones keep the order in which they were.
const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const said = document.getElementById("said");

function keyOf(row, column) {
  const cell = row.cells[column];
  const key = cell ? cell.dataset.key ?? cell.textContent.trim() : "";
  return key === "—" ? "" : key;
}

function sortBy(table, column, direction) {
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => ({ row, key: keyOf(row, column) }));
  const numeric = rows.every(({ key }) => key === "" || NUMBER.test(key));
  const compare = numeric ? (a, b) => Number(a) - Number(b) : (a, b) => collator.compare(a, b);
  rows.sort((a, b) => {
    if (a.key === "" || b.key === "") return (a.key === "") - (b.key === "");
    return direction * compare(a.key, b.key);
  });
  body.append(...rows.map(({ row }) => row));
}

function turn(heading) {
  const table = heading.closest("table");
  const falls = heading.getAttribute("aria-sort") === "ascending";
  for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", falls ? "descending" : "ascending");
  sortBy(table, heading.cellIndex, falls ? -1 : 1);
  said.textContent = `sorted by ${heading.textContent}, ${falls ? "descending" : "ascending"}`;
}

for (const heading of document.querySelectorAll("thead th")) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...heading.childNodes);
  heading.append(button);
  button.addEventListener("click", () => turn(heading));
}

