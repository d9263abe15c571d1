/** Small improvements on a suite's pages; each page works without them. */

import { closest, find, findAll } from './elements.js';
import { formatNumber } from './format.js';

/**
 * Handles the box that ticks all shown pages, also in folded folders, shows how many are ticked, and disables the
 * buttons while none is.
 * @param {HTMLFormElement} form
 */
function countTicked(form) {
  const boxes = findAll(document, `input[type="checkbox"][form="${form.id}"]`, HTMLInputElement);
  const every = find(form, '[data-bulk-every]', HTMLInputElement);
  const count = find(form, '[data-bulk-count]', HTMLElement);
  /** Also selects the pages that are not shown. Absent if all are shown. */
  const all = find(form, 'input[name=all]', HTMLInputElement);
  if (every === null || count === null) return;

  const update = () => {
    const ticked = boxes.filter((box) => box.checked).length;
    const isAll = all !== null && all.checked;
    every.checked = isAll || ticked === boxes.length;
    every.indeterminate = !every.checked && ticked > 0;
    count.textContent = isAll || ticked === 0 ? '' : `${formatNumber(ticked)} selected`;
    const isNone = !isAll && ticked === 0;
    const title = isNone ? 'Select pages below first' : '';
    for (const button of form.querySelectorAll('button')) {
      button.disabled = isNone;
      button.title = title;
    }
    for (const summary of findAll(form, 'summary', HTMLElement)) {
      summary.ariaDisabled = String(isNone);
      summary.classList.toggle('disabled', isNone);
      summary.title = title;
    }
  };
  /** @param {boolean} checked */
  const tickShown = (checked) => {
    for (const box of boxes) box.checked = checked;
  };
  const leaveAll = () => {
    if (all !== null) all.checked = false;
  };

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
  // A summary can't be disabled.
  form.addEventListener('click', (event) => {
    if (closest(event.target, 'summary[aria-disabled=true]', HTMLElement) !== null) event.preventDefault();
  });
  update();
}

/** Clears a copied viewport. @param {HTMLTableSectionElement} viewport @param {number} index */
function emptyViewport(viewport, index) {
  for (const element of viewport.querySelectorAll('[name], [for], [id], [aria-describedby]')) {
    for (const name of ['name', 'id', 'for', 'aria-describedby']) {
      const value = element.getAttribute(name);
      if (value !== null) element.setAttribute(name, value.replace(/(viewports[.-])\d+/g, `$1${index}`));
    }
  }
  for (const label of viewport.querySelectorAll('label, summary > .sr-only')) {
    label.textContent = label.textContent?.replace(/\d+$/, String(index + 1)) ?? '';
  }
  for (const input of findAll(viewport, 'input', HTMLInputElement)) {
    if (input.type === 'checkbox') input.checked = false;
    else input.value = '';
    input.removeAttribute('aria-invalid');
  }
  for (const select of findAll(viewport, 'select', HTMLSelectElement)) select.selectedIndex = 0;
  for (const details of findAll(viewport, 'details', HTMLDetailsElement)) details.open = false;
  for (const shown of viewport.querySelectorAll('.field-error, .viewport-extras')) shown.remove();
}

/** Adds empty viewports. Without scripts, there is only one at a time. @param {HTMLTableElement} table */
function addViewports(table) {
  const button = find(table.parentElement ?? document, '[data-viewport-add]', HTMLButtonElement);
  const most = Number(table.dataset.viewports);
  if (button === null) return;

  button.hidden = table.tBodies.length >= most;
  button.addEventListener('click', () => {
    const viewport = table.tBodies[table.tBodies.length - 1]?.cloneNode(true);
    if (!(viewport instanceof HTMLTableSectionElement)) return;
    emptyViewport(viewport, table.tBodies.length);
    table.append(viewport);
    viewport.querySelector('input')?.focus();
    button.hidden = table.tBodies.length >= most;
  });
}

for (const form of findAll(document, 'form[data-bulk]', HTMLFormElement)) countTicked(form);
for (const table of findAll(document, 'table[data-viewports]', HTMLTableElement)) addViewports(table);
