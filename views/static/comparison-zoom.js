/**
 * Zoom and pan of the pictures, all in step. The pictures are scaled by their width and moved by scrolling, so that the
 * wheel, the keys and a finger scroll as everywhere else; Panzoom makes of drags, pinches and the wheel with Ctrl what
 * is to be done. Down and up all panes share one scroller; sideways each has its own.
 */
import Panzoom from './panzoom.js';

const OPTIONS = { canvas: true, noBind: true, disableYAxis: true, minScale: 0.02, maxScale: 8, step: 0.25 };
const AS_STYLED = { cursor: '', overflow: '', touchAction: '' };

/** For what only brings Panzoom's own numbers up to date. */
const QUIETLY = { animate: false, force: true, silent: true };

const STEP = 1.25;

/** The scale that was chosen last stays from result to result. @type {number | null} */
let kept = null;

/** A notch of a wheel says 100 and more, a pinch on a touchpad a few at a time. @param {WheelEvent} event */
const wheelFactor = ({ deltaY }) => Math.exp(-Math.max(-50, Math.min(50, deltaY)) * 0.005);

/**
 * @typedef {{ scale(): number, reveal(box: { x: number, y: number, width: number, height: number }): void }} Zoom
 * @param {HTMLElement} comparison
 * @returns {Zoom}
 */
export function startZoom(comparison) {
  const width = Number(comparison.dataset.width);
  const stage = comparison.querySelector('[data-stage]');
  const panes = [...comparison.querySelectorAll('[data-pane]')];
  const canvases = [...comparison.querySelectorAll('.comparison-canvas')];
  const toggle = comparison.querySelector('[data-zoom=toggle]');
  /** Null: as wide as there is room for, and never wider than they are. @type {number | null} */
  let chosen = null;

  const openPane = () => panes.find((pane) => pane.offsetWidth > 0) ?? panes[0];
  const openCanvas = () => canvases.find((canvas) => canvas.offsetWidth > 0) ?? canvases[0];
  const scale = () => openCanvas().querySelector('.comparison-layer').getBoundingClientRect().width / width || 1;

  /** Where the pictures begin in what scrolls. */
  const top = () => openCanvas().getBoundingClientRect().top - stage.getBoundingClientRect().top + stage.scrollTop;

  function print() {
    const now = scale();
    toggle.textContent = chosen === null ? 'Fit' : `${Math.round(now * 100)} %`;
    comparison.classList.toggle('comparison-enlarged', now >= 2);
    for (const pane of panes) pane.classList.toggle('comparison-grab', canMove(pane));
  }

  const canMove = (pane) => pane.scrollWidth > pane.clientWidth || stage.scrollHeight > stage.clientHeight;

  /** @param {number | null} to @param {number} at px below the stage's upper edge that stay where they are */
  function setScale(to, at) {
    const before = scale();
    const point = stage.scrollTop + at - top();
    chosen = to;
    kept = to;
    comparison.classList.toggle('comparison-zoomed', to !== null);
    for (const canvas of canvases) canvas.style.width = to === null ? '' : `${to * width}px`;
    stage.scrollTop = (point * scale()) / before + top() - at;
    print();
  }

  /** @param {number} left */
  function moveTo(left) {
    for (const pane of panes) pane.scrollLeft = left;
  }

  const controls = new Map(panes.map((pane) => [pane, panzoomOf(pane)]));

  /** Panzoom moves an element without a size, which stands for the pictures' upper left corner. */
  function panzoomOf(pane) {
    const corner = document.createElement('span');
    corner.className = 'comparison-corner';
    pane.prepend(corner);
    const setTransform = (_corner, { x, scale: to, originalEvent }) => {
      if (originalEvent === undefined) return;
      const at = (originalEvent.clientY ?? 0) - stage.getBoundingClientRect().top;
      if (Math.abs(to - scale()) > 0.0001) setScale(to, at);
      moveTo(-x * to);
    };
    return Panzoom(corner, { ...OPTIONS, ...AS_STYLED, setTransform });
  }

  /** Before a gesture: what scrolling and other panes did since. */
  function agree(pane) {
    const control = controls.get(pane);
    if (Math.abs(control.getScale() - scale()) > 0.0001) control.zoom(scale(), QUIETLY);
    control.pan(-pane.scrollLeft / scale(), 0, QUIETLY);
    return control;
  }

  stage.addEventListener(
    'wheel',
    (event) => {
      const pane = event.target instanceof Element ? event.target.closest('[data-pane]') : null;
      if (pane === null || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      const control = controls.get(pane);
      control.zoomToPoint(control.getScale() * wheelFactor(event), event, { animate: false }, event);
    },
    { passive: false },
  );

  for (const pane of panes) startDrag(pane);

  function startDrag(pane) {
    const down = new Set();
    pane.addEventListener('pointerdown', (event) => {
      const isOwn = event.target instanceof Element && event.target.closest('[data-swipe]') === null;
      if (!isOwn || (event.pointerType === 'mouse' && event.button !== 0)) return;
      if (down.size === 0) agree(pane);
      down.add(event.pointerId);
      pane.setPointerCapture(event.pointerId);
      stage.focus({ preventScroll: true });
      controls.get(pane).handleDown(event);
    });
    pane.addEventListener('pointermove', (event) => {
      if (!down.has(event.pointerId)) return;
      if (down.size === 1 && event.pointerType === 'mouse') stage.scrollTop -= event.movementY;
      controls.get(pane).handleMove(event);
    });
    const end = (event) => {
      if (down.delete(event.pointerId)) controls.get(pane).handleUp(event);
    };
    pane.addEventListener('pointerup', end);
    pane.addEventListener('pointercancel', end);
    pane.addEventListener('scroll', () => {
      if (pane.offsetWidth === 0) return;
      if (down.size === 0) agree(pane);
      moveTo(pane.scrollLeft);
    });
  }

  const middle = () => stage.clientHeight / 2;
  const clamp = (to) => Math.min(OPTIONS.maxScale, Math.max(OPTIONS.minScale, to));

  comparison.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-zoom]') : null;
    if (button === null) return;
    const how = button.getAttribute('data-zoom');
    if (how === 'toggle') setScale(chosen === null ? 1 : null, 0);
    else setScale(clamp(scale() * (how === 'in' ? STEP : 1 / STEP)), middle());
    for (const pane of panes) if (pane.offsetWidth > 0) agree(pane);
  });

  if (kept !== null) setScale(kept, 0);
  comparison.addEventListener('comparison:mode', print);
  new ResizeObserver(() => {
    print();
    const pane = openPane();
    if (pane !== undefined) agree(pane);
  }).observe(stage);

  return {
    scale,
    reveal({ x, y, width: wide, height: high }) {
      const now = scale();
      const room = stage.clientHeight - comparison.querySelector('.comparison-labels').offsetHeight;
      const above = Math.max(24, (room - high * now) / 2);
      const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
      const to = y * now + top() - above - (stage.clientHeight - room);
      stage.scrollTo({ top: to, behavior: isCalm ? 'auto' : 'smooth' });
      moveTo(x * now - Math.max(24, (openPane().clientWidth - wide * now) / 2));
    },
  };
}
