/** The tick boxes of a run's results: a page's box ticks its results, and the button says how many they are. */
import './keys.js';

const BOXES = 'input[type=checkbox][data-tick]';
const RESULTS = 'input[type=checkbox][data-tick=result]';

/** @param {ParentNode} within @param {string} selector @returns {HTMLInputElement[]} */
const boxes = (within, selector) => [...within.querySelectorAll(selector)];

/** A page's box stands for its results without a script; with one they are sent themselves. @param {ParentNode} within */
function leaveToResults(within) {
  for (const box of boxes(within, '[data-tick=page]')) box.removeAttribute('name');
}

/** @param {Element} group */
function showPage(group) {
  const [page] = boxes(group, '[data-tick=page]');
  if (page === undefined) return;
  const results = boxes(group, RESULTS);
  const ticked = results.filter((box) => box.checked).length;
  page.checked = ticked === results.length;
  page.indeterminate = ticked > 0 && ticked < results.length;
}

function showCount() {
  const button = document.querySelector('[data-ticked]');
  if (button === null) return;
  const ids = new Set(boxes(document, `${RESULTS}:checked`).map((box) => box.value));
  button.textContent = ids.size === 0 ? 'Approve ticked' : `Approve ${ids.size} ticked`;
}

/** @param {Event} event */
function tick({ target }) {
  if (!(target instanceof HTMLInputElement) || !target.matches(BOXES)) return;
  const group = target.closest('.group');
  if (group === null) return;
  if (target.dataset.tick === 'page') for (const box of boxes(group, RESULTS)) box.checked = target.checked;
  showPage(group);
  showCount();
}

function show() {
  leaveToResults(document);
  for (const group of document.querySelectorAll('.group')) showPage(group);
  showCount();
}

document.addEventListener('change', tick);
document.addEventListener('htmx:afterSettle', show);
// What the browser ticked again after a reload.
addEventListener('pageshow', show);
show();
