/**
 * Dragging one screenshot of a page's history onto another compares them. The type lets a screenshot be dragged from the
 * history of another page, too, in another window. The radio buttons do the same without a mouse.
 */

import { closest } from './elements.js';

const TYPE = 'application/x-pixelgate-screenshot';

/** The entry of the history under the pointer. @param {Event} event */
const entryAt = ({ target }) => closest(target, '[data-screenshot]', HTMLElement);

/** @param {DragEvent} event */
function isScreenshot({ dataTransfer }) {
  return dataTransfer?.types.includes(TYPE) === true;
}

/** @param {DragEvent} event */
function begin(event) {
  const entry = entryAt(event);
  if (entry === null) return;
  event.dataTransfer?.setData(TYPE, entry.dataset.screenshot ?? '');
}

/** @param {DragEvent} event */
function over(event) {
  const entry = entryAt(event);
  for (const marked of document.querySelectorAll('.timeline-target')) {
    if (marked !== entry) marked.classList.remove('timeline-target');
  }
  if (entry === null || !isScreenshot(event)) return;
  event.preventDefault();
  entry.classList.add('timeline-target');
}

/** @param {DragEvent} event */
function drop(event) {
  const entry = entryAt(event);
  const list = entry?.closest('[data-compare]');
  if (!(list instanceof HTMLElement) || !isScreenshot(event)) return;
  event.preventDefault();
  entry?.classList.remove('timeline-target');
  const [from, to] = [event.dataTransfer?.getData(TYPE) ?? '', entry?.dataset.screenshot ?? ''];
  if (from !== '' && from !== to) location.assign(`${list.dataset.compare}?${new URLSearchParams({ from, to })}`);
}

for (const entry of document.querySelectorAll('[data-screenshot]')) entry.setAttribute('draggable', 'true');
document.addEventListener('dragstart', begin);
document.addEventListener('dragover', over);
document.addEventListener('drop', drop);
