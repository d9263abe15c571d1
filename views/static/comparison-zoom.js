/**
 * The scale of the screenshots, which is the same for all of them. Scaling sets their width, and moving them scrolls,
 * so that the wheel, the keys and a finger scroll as usual. All panes share one vertical scroller; each one has its own
 * horizontal scroller.
 */
import { find, findAll } from './elements.js';

/**
 * In px of the screenshots.
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 */

/**
 * @typedef {object} Zoom
 * @property {HTMLElement} comparison
 * @property {HTMLElement} stage scrolls vertically
 * @property {HTMLElement[]} panes scroll horizontally; those that the mode hides have no size
 * @property {HTMLElement[]} canvases contain the screenshots
 * @property {HTMLImageElement[]} tiles of the screenshots
 * @property {number | null} chosen the scale. Null: as wide as there is room, but never wider than the screenshots.
 */

export const LEAST = 0.02;
export const MOST = 8;

/** The space between a change and the edge of the stage in px. */
const MARGIN = 24;

/** The last chosen scale is kept from result to result. @type {number | null} */
let kept = null;

export const keptScale = () => kept;

/** The scale of the next comparison that starts. @param {number | null} scale */
export function scaleFirst(scale) {
  kept = scale;
}

/** @param {HTMLElement[]} elements */
const firstShown = (elements) => elements.find((element) => element.offsetWidth > 0) ?? elements[0];

/** @param {Zoom} zoom */
export const openPane = (zoom) => firstShown(zoom.panes);

/** @param {Zoom} zoom */
export function measureScale(zoom) {
  const screenshot = firstShown(zoom.canvases)?.querySelector('.comparison-layer');
  return (screenshot?.getBoundingClientRect().width ?? 0) / Number(zoom.comparison.dataset.width) || 1;
}

/** Where the screenshots start inside the scrolled content. @param {Zoom} zoom */
function measureTop(zoom) {
  const canvas = firstShown(zoom.canvases)?.getBoundingClientRect().top ?? 0;
  return canvas - zoom.stage.getBoundingClientRect().top + zoom.stage.scrollTop;
}

/**
 * Tells the browser how wide the tiles are seen, so that it loads them in the size that is needed.
 * @param {Zoom} zoom @param {number} scale
 */
function sizeTiles({ tiles }, scale) {
  for (const tile of tiles) {
    const sizes = `${Math.ceil(Number(tile.getAttribute('width')) * scale)}px`;
    if (tile.sizes !== sizes) tile.sizes = sizes;
  }
}

/** Displays the scale, and marks whether the screenshots can be dragged. @param {Zoom} zoom */
export function showScale(zoom) {
  const { comparison, stage, panes, chosen } = zoom;
  const scale = measureScale(zoom);
  sizeTiles(zoom, scale);
  const toggle = comparison.querySelector('[data-zoom=toggle]');
  if (toggle !== null) {
    toggle.textContent = chosen === null ? 'Fit' : `${Math.round(scale * 100)}%`;
    toggle.ariaLabel = chosen === null ? 'Fit to width, or 1:1' : `${toggle.textContent}: fit to width, or 1:1`;
  }
  comparison.classList.toggle('comparison-enlarged', scale >= 2);
  for (const pane of panes) {
    const canMove = pane.scrollWidth > pane.clientWidth || stage.scrollHeight > stage.clientHeight;
    pane.classList.toggle('comparison-grab', canMove);
    // The arrow keys scroll what has the focus.
    if (pane.scrollWidth > pane.clientWidth) pane.tabIndex = 0;
    else pane.removeAttribute('tabindex');
  }
}

/**
 * @param {Zoom} zoom @param {number | null} to @param {number} at this point stays in place, px below the top of the
 * stage
 */
export function setScale(zoom, to, at) {
  const { comparison, stage, canvases } = zoom;
  const before = measureScale(zoom);
  const point = stage.scrollTop + at - measureTop(zoom);
  zoom.chosen = to;
  kept = to;
  comparison.classList.toggle('comparison-zoomed', to !== null);
  const width = to === null ? '' : `${to * Number(comparison.dataset.width)}px`;
  for (const canvas of canvases) canvas.style.width = width;
  stage.scrollTop = (point * measureScale(zoom)) / before + measureTop(zoom) - at;
  showScale(zoom);
}

/** @param {Zoom} zoom @param {number} factor */
export function scaleBy(zoom, factor) {
  const to = Math.min(MOST, Math.max(LEAST, measureScale(zoom) * factor));
  setScale(zoom, to, zoom.stage.clientHeight / 2);
}

/** @param {Zoom} zoom @param {number} left */
export function scrollSideways(zoom, left) {
  for (const pane of zoom.panes) pane.scrollLeft = left;
}

/** Scrolls to a region of the screenshots. @param {Zoom} zoom @param {Box} box */
export function reveal(zoom, box) {
  const { comparison, stage } = zoom;
  const scale = measureScale(zoom);
  const labels = find(comparison, '.comparison-labels', HTMLElement)?.offsetHeight ?? 0;
  const above = Math.max(MARGIN, (stage.clientHeight - labels - box.height * scale) / 2);
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const top = box.y * scale + measureTop(zoom) - above - labels;
  stage.scrollTo({ top, behavior: isCalm ? 'auto' : 'smooth' });
  const paneWidth = openPane(zoom)?.clientWidth ?? 0;
  scrollSideways(zoom, box.x * scale - Math.max(MARGIN, (paneWidth - box.width * scale) / 2));
}

/** Null when there is nothing to scale. @param {HTMLElement} comparison @returns {Zoom | null} */
export function createZoom(comparison) {
  const stage = find(comparison, '[data-stage]', HTMLElement);
  if (stage === null) return null;
  const panes = findAll(comparison, '[data-pane]', HTMLElement);
  const canvases = findAll(comparison, '.comparison-canvas', HTMLElement);
  const tiles = findAll(stage, 'img', HTMLImageElement);
  const zoom = { comparison, stage, panes, canvases, tiles, chosen: null };
  if (kept !== null) setScale(zoom, kept, 0);
  return zoom;
}
