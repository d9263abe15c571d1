/**
 * The magnifier: both screenshots at the same place, enlarged, beside the pointer. With the keyboard it has the focus, and
 * the arrow keys move it.
 */
import { showBox } from './comparison-regions.js';
import { closest, find, findAll } from './elements.js';
import { formatNumber } from './format.js';

/** Pixels of the screen for one of the screenshot. */
const SCALES = [2, 4, 8, 16];

/** How far one key press moves it, in px of the screenshot; with Shift, eight times as far. */
const STEP = 8;

/** The space between the lens and the pointer, and the edges of the window, in px. */
const MARGIN = 16;

/** @type {Map<string, { x: number, y: number }>} */
const ARROWS = new Map([
  ['ArrowLeft', { x: -STEP, y: 0 }],
  ['ArrowRight', { x: STEP, y: 0 }],
  ['ArrowUp', { x: 0, y: -STEP }],
  ['ArrowDown', { x: 0, y: STEP }],
]);

/**
 * @typedef {object} Magnifier
 * @property {HTMLElement} comparison
 * @property {HTMLElement} stage
 * @property {HTMLElement} lens
 * @property {HTMLButtonElement} button
 * @property {number} x the middle of what is magnified, in px of the canvas
 * @property {number} y
 * @property {number} scale
 */

/** Whether it is on, from result to result. */
let isOn = false;

/** @param {number} value @param {number} least @param {number} most */
const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

/** Where the screenshot is that a pane shows, or the first pane that the mode shows. @param {ParentNode} within */
const findShown = (within) =>
  findAll(within, '.comparison-outline', SVGSVGElement)
    .map((layer) => layer.getBoundingClientRect())
    .find(({ width }) => width > 0);

/** Copies the screenshots into the lens once. @param {Magnifier} magnifier */
function fillLens({ comparison, lens }) {
  for (const figure of findAll(lens, '[data-lens-side]', HTMLElement)) {
    const image = figure.querySelector('svg');
    const layer = comparison.querySelector(`[data-pane] .comparison-${figure.dataset.lensSide}`);
    if (image === null || layer === null || image.childElementCount > 0) continue;
    image.append(...[...layer.children].map((child) => child.cloneNode(true)));
  }
}

/** @param {Magnifier} magnifier @param {DOMRect} layer */
function placeLens({ comparison, lens, x, y }, layer) {
  const scale = layer.width / Number(comparison.dataset.width);
  const [left, top] = [layer.left + x * scale, layer.top + y * scale];
  const { width, height } = lens.getBoundingClientRect();
  const isRight = left + MARGIN + width <= innerWidth;
  const isBelow = top + MARGIN + height <= innerHeight;
  lens.style.left = `${clamp(isRight ? left + MARGIN : left - MARGIN - width, 0, innerWidth - width)}px`;
  lens.style.top = `${clamp(isBelow ? top + MARGIN : top - MARGIN - height, 0, innerHeight - height)}px`;
}

/** Shows what is around the place. @param {Magnifier} magnifier */
function showLens(magnifier) {
  const { comparison, lens, scale } = magnifier;
  const layer = findShown(comparison);
  if (layer === undefined) return;
  magnifier.x = clamp(magnifier.x, 0, Number(comparison.dataset.width));
  magnifier.y = clamp(magnifier.y, 0, Number(comparison.dataset.height));
  fillLens(magnifier);
  lens.hidden = false;
  const { x, y } = magnifier;
  let box = { x, y, width: 0, height: 0 };
  for (const image of findAll(lens, 'svg', SVGSVGElement)) {
    const { width, height } = image.getBoundingClientRect();
    box = { x: x - width / scale / 2, y: y - height / scale / 2, width: width / scale, height: height / scale };
    image.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`);
  }
  for (const rect of comparison.querySelectorAll('[data-magnified]')) showBox(rect, box);
  const place = lens.querySelector('[data-lens-place]');
  const at = `${formatNumber(Math.round(x))}, ${formatNumber(Math.round(y))} px`;
  if (place !== null) place.textContent = `${at}, ${scale} times as large`;
  placeLens(magnifier, layer);
}

/** @param {Magnifier} magnifier */
function hideLens({ comparison, lens }) {
  lens.hidden = true;
  for (const rect of comparison.querySelectorAll('[data-magnified]')) showBox(rect, undefined);
}

/** The middle of what the stage shows. @param {Magnifier} magnifier */
function moveToMiddle(magnifier) {
  const { comparison, stage } = magnifier;
  const layer = findShown(comparison);
  if (layer === undefined) return;
  const seen = stage.getBoundingClientRect();
  const scale = layer.width / Number(comparison.dataset.width);
  const bottom = Math.min(seen.bottom, layer.bottom);
  magnifier.x = Number(comparison.dataset.width) / 2;
  magnifier.y = ((Math.max(seen.top, layer.top) + bottom) / 2 - layer.top) / scale;
}

/** Scrolls the stage so that the place is seen. @param {Magnifier} magnifier */
function keepInSight({ comparison, stage, y }) {
  const layer = findShown(comparison);
  if (layer === undefined) return;
  const seen = stage.getBoundingClientRect();
  const top = layer.top + y * (layer.width / Number(comparison.dataset.width));
  const [above, below] = [seen.top + 4 * MARGIN - top, top - seen.bottom + 4 * MARGIN];
  if (above > 0) stage.scrollTop -= above;
  else if (below > 0) stage.scrollTop += below;
}

/** @param {Magnifier} magnifier @param {boolean} on @param {boolean} byKey */
function turn(magnifier, on, byKey) {
  const { lens, button } = magnifier;
  isOn = on;
  button.setAttribute('aria-pressed', String(on));
  if (!on) {
    if (lens.contains(document.activeElement)) button.focus();
    hideLens(magnifier);
  } else if (byKey) {
    moveToMiddle(magnifier);
    showLens(magnifier);
    lens.focus({ preventScroll: true });
  }
}

/** @param {Magnifier} magnifier @param {PointerEvent} event */
function follow(magnifier, { target, clientX, clientY }) {
  const { comparison } = magnifier;
  const pane = closest(target, '[data-pane]', HTMLElement);
  const layer = pane === null ? undefined : findShown(pane);
  if (!isOn || layer === undefined) return;
  const scale = layer.width / Number(comparison.dataset.width);
  magnifier.x = (clientX - layer.left) / scale;
  magnifier.y = (clientY - layer.top) / scale;
  showLens(magnifier);
}

/** @param {Magnifier} magnifier @param {KeyboardEvent} event */
function press(magnifier, event) {
  const { key, shiftKey } = event;
  const arrow = ARROWS.get(key);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (arrow !== undefined) {
    magnifier.x += arrow.x * (shiftKey ? 8 : 1);
    magnifier.y += arrow.y * (shiftKey ? 8 : 1);
  } else if (key === '+' || key === '=' || key === '-') {
    const at = SCALES.indexOf(magnifier.scale) + (key === '-' ? -1 : 1);
    magnifier.scale = SCALES[clamp(at, 0, SCALES.length - 1)] ?? magnifier.scale;
  } else if (key === 'Escape') {
    turn(magnifier, false, true);
    return;
  } else {
    return;
  }
  event.preventDefault();
  keepInSight(magnifier);
  showLens(magnifier);
}

/** @param {HTMLElement} comparison */
export function startMagnifier(comparison) {
  const stage = find(comparison, '[data-stage]', HTMLElement);
  const lens = find(comparison, '[data-lens]', HTMLElement);
  const button = find(comparison, '[data-magnify]', HTMLButtonElement);
  if (stage === null || lens === null || button === null) return;
  const magnifier = { comparison, stage, lens, button, x: 0, y: 0, scale: 4 };
  // A click without a place comes from a key.
  button.addEventListener('click', ({ detail }) => turn(magnifier, !isOn, detail === 0));
  stage.addEventListener('pointermove', (event) => {
    if (event.pointerType !== 'touch') follow(magnifier, event);
  });
  stage.addEventListener('pointerleave', () => {
    if (document.activeElement !== lens) hideLens(magnifier);
  });
  lens.addEventListener('keydown', (event) => press(magnifier, event));
  lens.addEventListener('blur', () => hideLens(magnifier));
  turn(magnifier, isOn, false);
}
