/**
 * The check boxes of a run's results and changes: a page's check box ticks all its results, and the buttons show how many
 * they apply to.
 */
import './keys.js';
import { closest, find, findAll } from './elements.js';
import { formatNumber } from './format.js';

const PAGES = 'input[type=checkbox][data-tick=page]';
const RESULTS = 'input[type=checkbox][data-tick=result]';
const CHANGES = 'input[type=checkbox][data-tick=change]';
const GROUPS = '.group';

/** @param {ParentNode} within @param {string} selector */
const boxes = (within, selector) => findAll(within, selector, HTMLInputElement);

/** Without scripts, a page's check box represents its results. With scripts, the results are sent themselves. */
function sendResultsOnly() {
  for (const box of boxes(document, PAGES)) box.removeAttribute('name');
}

/** @param {Element} group */
function updatePage(group) {
  const page = find(group, PAGES, HTMLInputElement);
  if (page === null) return;
  const results = boxes(group, RESULTS);
  const ticked = results.filter((box) => box.checked).length;
  page.checked = ticked === results.length;
  page.indeterminate = ticked > 0 && ticked < results.length;
}

function updateCount() {
  const button = find(document, '[data-ticked]', HTMLButtonElement);
  if (button === null) return;
  const ids = new Set(boxes(document, `${RESULTS}:checked`).map((box) => box.value));
  // Without scripts, the server says that something has to be selected.
  button.disabled = ids.size === 0;
  button.title = ids.size === 0 ? 'Select results below to approve them' : '';
  button.textContent = ids.size === 0 ? 'Approve selected' : `Approve ${formatNumber(ids.size)} selected`;
}

/** What “Approve all but selected” does right now. Without scripts, its question says it. */
function updateAllBut() {
  const button = find(document, 'button[data-all-but]', HTMLButtonElement);
  const label = find(document, 'summary [data-all-but]', HTMLElement);
  if (button === null || label === null) return;
  const open = Number(button.dataset.open);
  const ticked = boxes(document, `${CHANGES}:checked`).length;
  const changes = open - ticked === 1 ? 'change' : 'changes';
  button.disabled = ticked === open;
  button.title = button.disabled ? 'Every change is selected, so none is left to approve' : '';
  button.textContent = `Approve ${ticked === 0 && open > 1 ? 'all ' : ''}${formatNumber(open - ticked)} ${changes}`;
  label.textContent = ticked === 0 ? button.textContent : `Approve all but ${formatNumber(ticked)}`;
}

/** @param {Event} event */
function tick({ target }) {
  if (closest(target, CHANGES, HTMLInputElement) !== null) updateAllBut();
  const box = closest(target, `${PAGES}, ${RESULTS}`, HTMLInputElement);
  const group = box?.closest(GROUPS);
  if (!box || !group) return;
  if (box.dataset.tick === 'page') for (const result of boxes(group, RESULTS)) result.checked = box.checked;
  updatePage(group);
  updateCount();
}

function update() {
  sendResultsOnly();
  for (const group of document.querySelectorAll(GROUPS)) updatePage(group);
  updateCount();
  updateAllBut();
}

document.addEventListener('change', tick);
document.addEventListener('htmx:afterSettle', update);
// The browser may restore ticks after a reload.
addEventListener('pageshow', update);
update();
