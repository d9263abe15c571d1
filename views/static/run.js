/**
 * The check boxes of a run's changes and results: a page's check box ticks all its results, one ticks all that is shown, and
 * the one button says what it acts on.
 */
import './copy.js';
import './keys.js';
import { closest, find, findAll } from './elements.js';
import { formatNumber } from './format.js';

const PAGES = 'input[type=checkbox][data-tick=page]';
const RESULTS = 'input[type=checkbox][data-tick=result]';
const CHANGES = 'input[type=checkbox][data-tick=change]';
const ALL = 'input[type=checkbox][data-tick=all]';
const GROUPS = '.group';

/** @param {ParentNode} within @param {string} selector */
const boxes = (within, selector) => findAll(within, selector, HTMLInputElement);

/** Nobody has seen what is folded, so a tick for all leaves it out. @param {HTMLInputElement} box */
const isShown = (box) => box.checkVisibility();

/** Without scripts, a page's check box represents its results. With scripts, the results are sent themselves. */
function sendResultsOnly() {
  for (const box of boxes(document, PAGES)) box.removeAttribute('name');
}

/** @param {HTMLInputElement} box @param {HTMLInputElement[]} parts */
function summarize(box, parts) {
  const ticked = parts.filter(({ checked }) => checked).length;
  box.checked = ticked > 0 && ticked === parts.length;
  box.indeterminate = ticked > 0 && ticked < parts.length;
}

/** @param {number} number @param {string} what */
const count = (number, what) => `${formatNumber(number)} ${what}${number === 1 ? '' : 's'}`;

/** What the button does now. Without scripts, the server says that something has to be selected. */
function updateButton() {
  const button = find(document, '[data-ticked]', HTMLButtonElement);
  const label = button?.querySelector('span');
  if (button === null || !label) return;
  const changes = boxes(document, `${CHANGES}:checked`);
  const results = new Set(boxes(document, `${RESULTS}:checked`).map(({ value }) => value)).size;
  // By their places in the run: one screenshot may show several changes.
  const ofChanges = new Set(changes.flatMap(({ dataset }) => dataset.places?.split(' ') ?? [])).size;
  const screenshots = count(ofChanges + results, 'screenshot');
  const isNone = changes.length + results === 0;
  button.disabled = isNone;
  button.title = isNone ? 'Select changes or screenshots to approve them' : '';
  button.dataset.ticked = isNone ? 'none' : 'some';
  button.classList.toggle('btn-primary', !isNone);
  find(document, '[data-review]', HTMLElement)?.classList.toggle('btn-primary', isNone);
  if (isNone) label.textContent = 'Approve selected';
  else
    label.textContent =
      changes.length === 0 ? `Approve ${screenshots}` : `Approve ${count(changes.length, 'change')} (${screenshots})`;
}

function update() {
  for (const group of document.querySelectorAll(GROUPS)) {
    const page = find(group, PAGES, HTMLInputElement);
    if (page !== null) summarize(page, boxes(group, RESULTS));
  }
  const all = find(document, ALL, HTMLInputElement);
  if (all !== null) summarize(all, boxes(document, `${RESULTS}, ${CHANGES}`).filter(isShown));
  updateButton();
}

/** @param {Event} event */
function tick({ target }) {
  const box = closest(target, `${PAGES}, ${RESULTS}, ${CHANGES}, ${ALL}`, HTMLInputElement);
  if (box === null) return;
  const group = box.matches(ALL) ? document : box.matches(PAGES) ? box.closest(GROUPS) : null;
  const parts = group === null ? [] : boxes(group, `${RESULTS}, ${CHANGES}`);
  for (const part of parts) part.checked = box.checked && (part.checked || isShown(part));
  update();
}

function start() {
  sendResultsOnly();
  update();
}

document.addEventListener('change', tick);
// Something was folded or unfolded. This event does not bubble.
document.addEventListener('toggle', update, true);
document.addEventListener('htmx:after:swap', start);
start();
