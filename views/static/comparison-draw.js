/**
 * Ignoring an area, or commenting on it: people draw a box on a screenshot, or click an outlined change. The form is above
 * the screenshots.
 */
import { readChanges, showBox, sideOf } from './comparison-regions.js';
import { closest, find } from './elements.js';

/** @typedef {import('./comparison-zoom.js').Box} Box */

/** A drag of fewer px of the screen is a click. */
const LEAST = 5;

/** The screenshot below a point of the screen, and the same point in its px. @param {PointerEvent} event */
function locate({ target, clientX, clientY }) {
  const pane = closest(target, '[data-pane]', HTMLElement);
  const outlines = [...(pane?.querySelectorAll('.comparison-outline') ?? [])];
  const outline = outlines.find((each) => each.getBoundingClientRect().width > 0);
  if (outline === undefined) return null;
  const { left, top, width, height } = outline.getBoundingClientRect();
  const [full, fullHeight] = [Number(outline.getAttribute('width')), Number(outline.getAttribute('height'))];
  const x = Math.min(full, Math.max(0, Math.round(((clientX - left) / width) * full)));
  const y = Math.min(fullHeight, Math.max(0, Math.round(((clientY - top) / height) * fullHeight)));
  return { outline, x, y };
}

/** @typedef {NonNullable<ReturnType<typeof locate>>} Place */

/** @param {Place} from @param {Place} to @returns {Box} */
const boxBetween = (from, to) => ({
  x: Math.min(from.x, to.x),
  y: Math.min(from.y, to.y),
  width: Math.abs(to.x - from.x),
  height: Math.abs(to.y - from.y),
});

/** @param {HTMLElement} comparison @param {Box | undefined} box */
function showDrawn(comparison, box) {
  for (const rect of comparison.querySelectorAll('[data-drawn]')) showBox(rect, box);
}

/** @param {HTMLSelectElement} choice @param {Box} box */
function chooseDrawn(choice, { x, y, width, height }) {
  choice.querySelector('[data-own]')?.remove();
  const option = new Option(`Drawn box of ${width} × ${height} px at ${x}, ${y}`, `box ${x},${y},${width},${height}`);
  option.dataset.own = '';
  choice.append(option);
  option.selected = true;
}

/** @param {HTMLElement} comparison @param {HTMLSelectElement} choice @param {Place} place */
function chooseChange(comparison, choice, { outline, x, y }) {
  const boxes = [...(readChanges(comparison).get(sideOf(outline)) ?? [])];
  const [number] =
    boxes.find(([, box]) => x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height) ?? [];
  const option = [...choice.options].find(({ text }) => text.startsWith(`Change ${number}:`));
  if (option !== undefined) option.selected = true;
  return option !== undefined;
}

/** Ends what was begun. @type {(() => void) | null} */
let stopDrawing = null;

/** @param {HTMLElement} comparison @param {HTMLButtonElement} button @param {HTMLSelectElement} choice */
function startDrawing(comparison, button, choice) {
  const stage = find(comparison, '[data-stage]', HTMLElement);
  const mayDraw = button.dataset.draw === 'box';
  const end = new AbortController();
  const stop = () => {
    stopDrawing = null;
    end.abort();
    comparison.classList.remove('comparison-drawing');
    button.setAttribute('aria-pressed', 'false');
    choice.focus();
  };
  /** @type {{ place: Place, x: number, y: number } | null} */
  let from = null;
  /** @param {PointerEvent} event */
  const down = (event) => {
    const place = event.button === 0 ? locate(event) : null;
    if (place === null) return;
    event.preventDefault();
    event.stopPropagation();
    from = { place, x: event.clientX, y: event.clientY };
  };
  /** @param {PointerEvent} event */
  const drag = (event) => {
    const place = from === null ? null : locate(event);
    if (from !== null && place !== null && mayDraw) showDrawn(comparison, boxBetween(from.place, place));
  };
  /** @param {PointerEvent} event */
  const up = (event) => {
    if (from === null) return;
    const place = locate(event) ?? from.place;
    const isClick = Math.hypot(event.clientX - from.x, event.clientY - from.y) < LEAST;
    const box = boxBetween(from.place, place);
    from = null;
    if (isClick || !mayDraw) {
      showDrawn(comparison, undefined);
      if (chooseChange(comparison, choice, place)) stop();
    } else if (box.width > 0 && box.height > 0) {
      chooseDrawn(choice, box);
      stop();
    }
  };
  const { signal } = end;
  stage?.addEventListener('pointerdown', down, { capture: true, signal });
  document.addEventListener('pointermove', drag, { signal });
  document.addEventListener('pointerup', up, { signal });
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && stop(), { signal });
  stopDrawing = stop;
  comparison.classList.add('comparison-drawing');
  button.setAttribute('aria-pressed', 'true');
}

document.addEventListener('click', ({ target }) => {
  const button = closest(target, '[data-draw]', HTMLButtonElement);
  const comparison = find(document, '[data-comparison]', HTMLElement);
  const form = button?.closest('form') ?? document;
  const choice = find(form, '[data-area]', HTMLSelectElement);
  if (button === null || comparison === null || choice === null) return;
  if (stopDrawing === null) startDrawing(comparison, button, choice);
  else stopDrawing();
});
