/**
 * Handles dragging, pinching, Ctrl with the wheel, and the zoom buttons. Panzoom turns them into a scale and a
 * position.
 */
import {
  LEAST,
  measureScale,
  MOST,
  openPane,
  scaleBy,
  scrollSideways,
  setScale,
  showScale,
} from './comparison-zoom.js';
import { closest, release } from './elements.js';
import Panzoom from './panzoom.js';

/**
 * @typedef {import('./comparison-zoom.js').Zoom} Zoom
 * @typedef {import('./panzoom.js').PanzoomObject} PanzoomObject
 * @typedef {Map<HTMLElement, PanzoomObject>} Controls one for each pane
 */

const OPTIONS = { canvas: true, noBind: true, disableYAxis: true, minScale: LEAST, maxScale: MOST, step: 0.25 };
const AS_STYLED = { cursor: '', overflow: '', touchAction: '' };

/** Only updates Panzoom's own numbers. */
const QUIETLY = { animate: false, force: true, silent: true };

const STEP = 1.25;

/** A wheel notch is 100 or more, a pinch on a touchpad only a few at a time. @param {WheelEvent} event */
const wheelFactor = ({ deltaY }) => Math.exp(-Math.max(-50, Math.min(50, deltaY)) * 0.005);

/** @param {number} a @param {number} b */
const differ = (a, b) => Math.abs(a - b) > 0.0001;

/**
 * Panzoom moves an element without a size, which represents the upper left corner of the screenshots.
 * @param {Zoom} zoom @param {HTMLElement} pane
 */
function findControl(zoom, pane) {
  const corner = document.createElement('span');
  pane.prepend(corner);
  return Panzoom(corner, {
    ...OPTIONS,
    ...AS_STYLED,
    setTransform(_corner, { x, scale, originalEvent }) {
      if (originalEvent === undefined) return;
      const at = originalEvent.clientY - zoom.stage.getBoundingClientRect().top;
      if (differ(scale, measureScale(zoom))) setScale(zoom, scale, at);
      scrollSideways(zoom, -x * scale);
    },
  });
}

/**
 * Before a gesture, tells Panzoom about changes by scrolling and by the other panes.
 * @param {Zoom} zoom @param {HTMLElement} pane @param {PanzoomObject} control
 */
function update(zoom, pane, control) {
  const scale = measureScale(zoom);
  if (differ(control.getScale(), scale)) control.zoom(scale, QUIETLY);
  control.pan(-pane.scrollLeft / scale, 0, QUIETLY);
}

/** @param {Zoom} zoom @param {Controls} controls */
function startWheel({ stage }, controls) {
  /** @param {WheelEvent} event */
  const turn = (event) => {
    const pane = closest(event.target, '[data-pane]', HTMLElement);
    const control = pane && controls.get(pane);
    if (!control || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    control.zoomToPoint(control.getScale() * wheelFactor(event), event, { animate: false }, event);
  };
  stage.addEventListener('wheel', turn, { passive: false });
}

/** @param {Zoom} zoom @param {HTMLElement} pane @param {PanzoomObject} control */
function startDrag(zoom, pane, control) {
  const { stage } = zoom;
  /** @type {Set<number>} */
  const down = new Set();
  pane.addEventListener('pointerdown', (event) => {
    const isOfSwipe = closest(event.target, '[data-swipe]', HTMLElement) !== null;
    if (isOfSwipe || (event.pointerType === 'mouse' && event.button !== 0)) return;
    if (down.size === 0) update(zoom, pane, control);
    down.add(event.pointerId);
    pane.setPointerCapture(event.pointerId);
    stage.focus({ preventScroll: true });
    control.handleDown(event);
  });
  pane.addEventListener('pointermove', (event) => {
    if (!down.has(event.pointerId)) return;
    if (down.size === 1 && event.pointerType === 'mouse') stage.scrollTop -= event.movementY;
    control.handleMove(event);
  });
  /** @param {PointerEvent} event */
  const end = (event) => {
    if (down.delete(event.pointerId)) control.handleUp(event);
  };
  pane.addEventListener('pointerup', end);
  pane.addEventListener('pointercancel', end);
  pane.addEventListener('scroll', () => {
    if (pane.offsetWidth === 0) return;
    if (down.size === 0) update(zoom, pane, control);
    scrollSideways(zoom, pane.scrollLeft);
  });
}

/** @param {Zoom} zoom @param {string | undefined} how `toggle`, `in` or `out` */
function press(zoom, how) {
  if (how === 'toggle') setScale(zoom, zoom.chosen === null ? 1 : null, 0);
  else scaleBy(zoom, how === 'in' ? STEP : 1 / STEP);
}

/** @param {Zoom} zoom */
export function startGestures(zoom) {
  const { comparison, stage, panes } = zoom;
  /** @type {Controls} */
  const controls = new Map(panes.map((pane) => [pane, findControl(zoom, pane)]));
  startWheel(zoom, controls);
  for (const [pane, control] of controls) startDrag(zoom, pane, control);
  comparison.addEventListener('click', ({ target }) => {
    const button = closest(target, '[data-zoom]', HTMLElement);
    if (button === null) return;
    press(zoom, button.dataset.zoom);
    for (const [pane, control] of controls) if (pane.offsetWidth > 0) update(zoom, pane, control);
  });
  comparison.addEventListener('comparison:mode', () => showScale(zoom));
  const resized = new ResizeObserver(() => {
    if (!stage.isConnected) {
      resized.disconnect();
      release(zoom.tiles);
      return;
    }
    showScale(zoom);
    const pane = openPane(zoom);
    const control = pane && controls.get(pane);
    if (control) update(zoom, pane, control);
  });
  resized.observe(stage);
}
