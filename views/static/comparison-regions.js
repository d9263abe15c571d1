/** Moves from change to change on one page. */
import { closest } from './elements.js';

/** @typedef {import('./comparison-zoom.js').Box} Box */

/** @param {Element} rect @param {string} name */
const readNumber = (rect, name) => Number(rect.getAttribute(name));

/** @param {Element} rect @returns {Box} */
const readBox = (rect) => ({
  x: readNumber(rect, 'x'),
  y: readNumber(rect, 'y'),
  width: readNumber(rect, 'width'),
  height: readNumber(rect, 'height'),
});

/** @param {HTMLElement} comparison @param {Box} region */
function outline(comparison, region) {
  for (const rect of comparison.querySelectorAll('[data-current-change]')) {
    for (const [name, value] of Object.entries(region)) rect.setAttribute(name, String(value));
    rect.removeAttribute('hidden');
  }
}

/** @param {HTMLElement} comparison @param {(region: Box) => void} reveal scrolls to it */
export function startRegions(comparison, reveal) {
  const regions = [...comparison.querySelectorAll('#comparison-regions > rect')].map(readBox);
  const count = comparison.querySelector('[data-change-count]');
  let at = -1;

  comparison.addEventListener('click', ({ target }) => {
    const button = closest(target, '[data-change]', HTMLElement);
    if (button === null) return;
    const step = Number(button.dataset.change);
    at = at === -1 && step < 0 ? regions.length - 1 : (at + step + regions.length) % regions.length;
    const region = regions[at];
    if (region === undefined) return;
    if (count !== null) count.textContent = `Change ${at + 1} of ${regions.length}`;
    outline(comparison, region);
    reveal(region);
  });
}
