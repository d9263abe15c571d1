/** Small improvements on a suite's pages; each page works without them. */

import { find, findAll } from './elements.js';

/**
 * Handles the box that ticks all shown pages, shows how many are ticked, and disables the buttons while none is.
 * @param {HTMLFormElement} form
 */
function countTicked(form) {
  const boxes = findAll(document, `input[type="checkbox"][form="${form.id}"]`, HTMLInputElement);
  const every = find(document, '[data-bulk-every]', HTMLInputElement);
  const count = find(form, '[data-bulk-count]', HTMLElement);
  /** Also selects the pages that are not shown. Absent if all are shown. */
  const all = find(form, 'input[name=all]', HTMLInputElement);
  if (every === null || count === null) return;

  const update = () => {
    const ticked = boxes.filter((box) => box.checked).length;
    const isAll = all !== null && all.checked;
    every.checked = isAll || ticked === boxes.length;
    every.indeterminate = !every.checked && ticked > 0;
    count.textContent = isAll || ticked === 0 ? '' : `${ticked} selected`;
    for (const button of form.querySelectorAll('button')) button.disabled = !isAll && ticked === 0;
  };
  /** @param {boolean} checked */
  const tickShown = (checked) => {
    for (const box of boxes) box.checked = checked;
  };
  const leaveAll = () => {
    if (all !== null) all.checked = false;
  };

  every.hidden = false;
  every.addEventListener('change', () => {
    tickShown(every.checked);
    if (!every.checked) leaveAll();
    update();
  });
  all?.addEventListener('change', () => {
    tickShown(all.checked);
    update();
  });
  for (const box of boxes) {
    box.addEventListener('change', () => {
      if (!box.checked) leaveAll();
      update();
    });
  }
  // The browser may restore ticks when people go back to the page.
  addEventListener('pageshow', update);
  update();
}

/** Clears a copied row of the viewports. @param {HTMLTableRowElement} row @param {number} index */
function emptyRow(row, index) {
  for (const element of row.querySelectorAll('[name], [for], [id]')) {
    for (const name of ['name', 'id', 'for', 'aria-describedby']) {
      const value = element.getAttribute(name);
      if (value !== null) element.setAttribute(name, value.replace(/(viewports[.-])\d+/g, `$1${index}`));
    }
  }
  for (const label of row.querySelectorAll('label')) {
    label.textContent = label.textContent?.replace(/\d+$/, String(index + 1)) ?? '';
  }
  for (const input of row.querySelectorAll('input')) {
    input.value = '';
    input.removeAttribute('aria-invalid');
  }
  for (const error of row.querySelectorAll('.field-error')) error.remove();
}

/** Adds empty viewport rows. Without scripts, there is only one at a time. @param {HTMLTableElement} table */
function addViewports(table) {
  const button = find(table.parentElement ?? document, '[data-viewport-add]', HTMLButtonElement);
  const most = Number(table.dataset.viewports);
  const [body] = table.tBodies;
  if (button === null || body === undefined) return;

  button.hidden = body.rows.length >= most;
  button.addEventListener('click', () => {
    const row = body.rows[body.rows.length - 1]?.cloneNode(true);
    if (!(row instanceof HTMLTableRowElement)) return;
    emptyRow(row, body.rows.length);
    body.append(row);
    row.querySelector('input')?.focus();
    button.hidden = body.rows.length >= most;
  });
}

for (const form of findAll(document, 'form[data-bulk]', HTMLFormElement)) countTicked(form);
for (const table of findAll(document, 'table[data-viewports]', HTMLTableElement)) addViewports(table);
