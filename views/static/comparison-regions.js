/** Moves from change to change on one page. */
import { closest } from './elements.js';
import { formatNumber } from './format.js';

/**
 * @typedef {import('./comparison-zoom.js').Box} Box
 * @typedef {Map<string, Map<number, Box>>} Changes by side, then by number; a side lacks what it does not show
 */

/** @param {Element} rect @param {string} name */
const readNumber = (rect, name) => Number(rect.getAttribute(name));

/** @param {Element} rect @returns {Box} */
const readBox = (rect) => ({
  x: readNumber(rect, 'x'),
  y: readNumber(rect, 'y'),
  width: readNumber(rect, 'width'),
  height: readNumber(rect, 'height'),
});

/** @param {HTMLElement} comparison @returns {Changes} */
export function readChanges(comparison) {
  return new Map(
    ['current', 'baseline'].map((side) => {
      const rects = [...comparison.querySelectorAll(`#comparison-changes-${side} > rect`)];
      return [side, new Map(rects.map((rect) => [readNumber(rect, 'data-number'), readBox(rect)]))];
    }),
  );
}

/** @param {Element} rect @param {Box | undefined} box none: it is hidden */
export function showBox(rect, box) {
  rect.toggleAttribute('hidden', box === undefined);
  for (const [name, value] of Object.entries(box ?? {})) rect.setAttribute(name, String(value));
}

/** The side of the screenshot that the element lies over. @param {Element} element */
export const sideOf = (element) => element.closest('[data-side]')?.getAttribute('data-side') ?? '';

/** @param {HTMLElement} comparison @param {(region: Box) => void} reveal scrolls to it */
export function startRegions(comparison, reveal) {
  const changes = readChanges(comparison);
  const numbers = [...new Set([...changes.values()].flatMap((boxes) => [...boxes.keys()]))].toSorted((a, b) => a - b);
  const count = comparison.querySelector('[data-change-count]');
  let at = -1;

  comparison.addEventListener('click', ({ target }) => {
    const button = closest(target, '[data-change]', HTMLElement);
    if (button === null) return;
    const step = Number(button.dataset.change);
    at = at === -1 && step < 0 ? numbers.length - 1 : (at + step + numbers.length) % numbers.length;
    const number = numbers[at];
    if (number === undefined) return;
    if (count !== null) count.textContent = `Change ${formatNumber(at + 1)} of ${formatNumber(numbers.length)}`;
    for (const rect of comparison.querySelectorAll('[data-current-change]')) {
      showBox(rect, changes.get(sideOf(rect))?.get(number));
    }
    const region = changes.get('current')?.get(number) ?? changes.get('baseline')?.get(number);
    if (region !== undefined) reveal(region);
  });
}
