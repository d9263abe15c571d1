/**
 * Pointing at a place in a screenshot. While the panel to ignore something is open, a click takes the marked change under the
 * pointer. A box to ignore is drawn, and a comment is pinned to a point or a box.
 */
import { readChanges, showBox, sideOf } from './comparison-regions.js';
import { closest, find, findAll } from './elements.js';

/** @typedef {import('./comparison-zoom.js').Box} Box */

/** A drag of fewer px of the screen is a click. */
const LEAST = 5;

const SVG = 'http://www.w3.org/2000/svg';

/** Where the pointer went down last, in px of the screen. */
let pressed = { clientX: 0, clientY: 0 };

/** Whether the pointer stayed where it went down: the picture was not dragged. @param {MouseEvent} event */
const isInPlace = ({ clientX, clientY }) => Math.hypot(clientX - pressed.clientX, clientY - pressed.clientY) < LEAST;

/** The screenshot below a point of the screen, and the same point in its px. @param {MouseEvent} event */
function locate(event) {
  const pane = closest(event.target, '[data-pane]', HTMLElement);
  const outlines = [...(pane?.querySelectorAll('.comparison-outline') ?? [])];
  const outline = outlines.find((each) => each.getBoundingClientRect().width > 0);
  return outline === undefined ? null : locateIn(outline, event);
}

/** The nearest point of a screenshot, wherever the pointer is. @param {Element} outline @param {MouseEvent} event */
function locateIn(outline, { clientX, clientY }) {
  const { left, top, width, height } = outline.getBoundingClientRect();
  const [full, fullHeight] = [Number(outline.getAttribute('width')), Number(outline.getAttribute('height'))];
  const x = Math.min(full, Math.max(0, Math.round(((clientX - left) / width) * full)));
  const y = Math.min(fullHeight, Math.max(0, Math.round(((clientY - top) / height) * fullHeight)));
  return { outline, x, y };
}

/** @typedef {ReturnType<typeof locateIn>} Place */

/** @param {Place} from @param {Place} to @returns {Box} */
const boxBetween = (from, to) => ({
  x: Math.min(from.x, to.x),
  y: Math.min(from.y, to.y),
  width: Math.max(1, Math.abs(to.x - from.x)),
  height: Math.max(1, Math.abs(to.y - from.y)),
});

/** @param {Box | undefined} box */
function showDrawn(box) {
  for (const rect of document.querySelectorAll('[data-drawn]')) showBox(rect, box);
}

/** @param {Box} box */
const toValue = ({ x, y, width, height }) => `box ${x},${y},${width},${height}`;

/** The button of the marked change at a place, and where that is. @param {HTMLFormElement} form @param {Place} place */
function findChange(form, { outline, x, y }) {
  const comparison = closest(outline, '[data-comparison]', HTMLElement);
  const boxes = comparison === null ? [] : [...(readChanges(comparison).get(sideOf(outline)) ?? [])];
  const found = boxes.find(([, box]) => x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height);
  const button = found && find(form, `[data-number="${found[0]}"]`, HTMLButtonElement);
  return found && button ? { button, box: found[1] } : null;
}

const ignoring = () => find(document, 'form[data-point]', HTMLFormElement);

/** Ends what was begun. @type {(() => void) | null} */
let stopDrawing = null;

/** Shows what a click would take. @param {PointerEvent} event */
function hover(event) {
  const form = ignoring();
  if (form === null || stopDrawing !== null) return;
  const place = locate(event);
  const found = place && findChange(form, place);
  showDrawn(found?.box);
  find(document, '[data-comparison]', HTMLElement)?.classList.toggle('comparison-pointing', found !== null);
  const says = form.querySelector('[data-point-says]');
  if (found === null || !says) return;
  says.textContent = `Click to ignore ${found.button.textContent?.trim().replace(/^Change \d+: /, '')}`;
}

/** @param {MouseEvent} event */
function take(event) {
  const form = isInPlace(event) ? ignoring() : null;
  const place = form === null || stopDrawing !== null ? null : locate(event);
  const found = form && place && findChange(form, place);
  if (found) form.requestSubmit(found.button);
}

/** What was drawn is ignored at once, or the place of a comment. @param {HTMLElement} button @param {Box} box */
function use(button, box) {
  const form = closest(button, 'form', HTMLFormElement);
  const field = form && find(form, '[data-area]', HTMLInputElement);
  if (field) {
    field.value = toValue(box);
    const says = form.querySelector('[data-area-says]');
    if (says) says.textContent = `Pinned at ${box.x}, ${box.y}`;
    find(form, 'textarea', HTMLTextAreaElement)?.focus();
  } else if (form) {
    const chosen = Object.assign(document.createElement('button'), { name: 'area', value: toValue(box), hidden: true });
    form.append(chosen);
    form.requestSubmit(chosen);
  }
}

/** @param {HTMLElement} comparison @param {HTMLButtonElement} button */
function startDrawing(comparison, button) {
  const stage = find(comparison, '[data-stage]', HTMLElement);
  const mayClick = button.dataset.draw === 'pin';
  const end = new AbortController();
  const stop = () => {
    stopDrawing = null;
    end.abort();
    comparison.classList.remove('comparison-drawing');
    button.setAttribute('aria-pressed', 'false');
  };
  /** @type {Place | null} */
  let from = null;
  /** @param {PointerEvent} event */
  const down = (event) => {
    from = event.button === 0 ? locate(event) : null;
    if (from === null) return;
    event.preventDefault();
    event.stopPropagation();
  };
  /** @param {PointerEvent} event */
  const drag = (event) => {
    if (from !== null) showDrawn(boxBetween(from, locateIn(from.outline, event)));
  };
  /** @param {PointerEvent} event */
  const up = (event) => {
    if (from === null) return;
    const isClick = isInPlace(event);
    const box = boxBetween(from, isClick ? from : locateIn(from.outline, event));
    from = null;
    showDrawn(box);
    if (isClick && !mayClick) return;
    stop();
    use(button, box);
  };
  const { signal } = end;
  stage?.addEventListener('pointerdown', down, { capture: true, signal });
  document.addEventListener('pointermove', drag, { signal });
  document.addEventListener('pointerup', up, { signal });
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      stop();
    },
    { capture: true, signal },
  );
  stopDrawing = stop;
  comparison.classList.add('comparison-drawing');
  button.setAttribute('aria-pressed', 'true');
}

/** Draws where comments are pinned, each with its number. */
function showPins() {
  for (const [at, item] of findAll(document, '[data-pin]', HTMLElement).entries()) {
    const [x = 0, y = 0, width = 0, height = 0] = (item.dataset.pin ?? '').split(' ').map(Number);
    for (const outline of document.querySelectorAll('.comparison-outline[data-side=current]')) {
      const rect = document.createElementNS(SVG, 'rect');
      rect.setAttribute('class', 'comparison-pin');
      showBox(rect, { x, y, width, height });
      const number = document.createElementNS(SVG, 'text');
      number.setAttribute('class', 'comparison-pin-number');
      number.setAttribute('x', String(x));
      number.setAttribute('y', String(y));
      number.textContent = String(at + 1);
      outline.append(rect, number);
    }
  }
}

document.addEventListener(
  'pointerdown',
  (event) => {
    pressed = event;
  },
  true,
);
document.addEventListener('pointermove', hover);
document.addEventListener('click', (event) => {
  const button = closest(event.target, '[data-draw]', HTMLButtonElement);
  const comparison = find(document, '[data-comparison]', HTMLElement);
  if (button === null || comparison === null) take(event);
  else if (stopDrawing === null) startDrawing(comparison, button);
  else stopDrawing();
});
document.addEventListener('htmx:after:swap', ({ detail }) => {
  if (detail.ctx.target.id === 'review-main') showPins();
});
showPins();
