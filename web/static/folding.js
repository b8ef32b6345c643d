// A table in the room it has: whole, else without what its heads and cells can spare, else each row as a card in which
// every value stands under its column's name. Nothing is cut and nothing scrolls sideways.

const STEPS = ["", "tight", "folded"];

/** Which column's name each cell of a row stands under; a row without a cell that spans rows above begins later.
  cells: how many columns each of the row's cells spans. */
export function columnsOfRow(cells, columns) {
  const own = cells.reduce((sum, span) => sum + span, 0);
  let at = Math.max(columns - own, 0);
  return cells.map((span) => (at += span) - span);
}

function nameCells(table) {
  const names = [...table.tHead?.rows[0]?.cells ?? []].map((c) => c.dataset.name ?? c.textContent.trim());
  for (const row of [...table.tBodies ?? []].flatMap((body) => [...body.rows])) {
    const cells = [...row.cells], at = columnsOfRow(cells.map((c) => c.colSpan), names.length);
    cells.forEach((cell, i) => {
      if (cell.tagName === "TD" && cell.colSpan === 1) cell.dataset.name = names[at[i]] ?? "";
    });
  }
}

function fit(box, table) {
  for (const step of STEPS) {
    box.classList.remove(...STEPS.filter(Boolean));
    if (step) box.classList.add(step);
    if (table.scrollWidth <= box.clientWidth) return;
  }
}

/** All tables below an element, at once: before what lies under them is measured. */
export function foldAll(root) {
  for (const box of root.querySelectorAll(".scroll")) if (box.clientWidth > 0) fit(box, box.querySelector("table"));
}

/** Keeps a table within its box, also when either changes. */
export function folding(box, table) {
  const run = () => { if (box.clientWidth > 0) fit(box, table); };
  nameCells(table);
  const rows = new globalThis.MutationObserver(() => { nameCells(table); run(); });
  rows.observe(table, { childList: true, subtree: true });
  let width = -1;
  new ResizeObserver(() => {
    if (box.clientWidth === width) return; // its own height, which folding changes
    width = box.clientWidth;
    run();
  }).observe(box);
}
