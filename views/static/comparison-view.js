/** The comparison view: changes the mode without a request, and handles the keys for the screenshots. */
import { withChoice } from './choice.js';
import { loadAhead } from './comparison-ahead.js';
import { startGestures } from './comparison-gestures.js';
import { startRegions } from './comparison-regions.js';
import { startSwipe, swipeTo } from './comparison-swipe.js';
import { createZoom, reveal } from './comparison-zoom.js';
import { closest, find, findAll } from './elements.js';
import { isFree } from './keys.js';

/** What is kept from result to result. @type {{ opacity: string | null, marks: Map<string, boolean> }} */
const chosen = { opacity: null, marks: new Map() };

/** @param {HTMLElement} comparison @param {'mode' | 'show'} name @param {string} value */
function markChosen(comparison, name, value) {
  for (const link of comparison.querySelectorAll(`[data-choose-${name}]`)) {
    if (link.getAttribute(`data-choose-${name}`) === value) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

/** @param {HTMLElement} comparison @param {HTMLAnchorElement} link */
function choose(comparison, link) {
  const { chooseMode = 'single', chooseShow } = link.dataset;
  comparison.dataset.mode = chooseMode;
  markChosen(comparison, 'mode', chooseMode);
  if (chooseShow !== undefined) {
    comparison.dataset.show = chooseShow;
    markChosen(comparison, 'show', chooseShow);
  }
  if (chooseMode === 'swipe') void startSwipe(comparison);
  history.replaceState(history.state, '', link.href);
  comparison.dispatchEvent(new CustomEvent('comparison:mode'));
}

/** @param {HTMLElement} comparison */
function startChoices(comparison) {
  comparison.addEventListener('click', ({ target }) => {
    const link = closest(target, '[data-choose-view]', HTMLAnchorElement);
    if (link !== null) link.href = withChoice(link.href, ['mode', 'show']);
  });
  comparison.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    const link = closest(event.target, '[data-choose-mode], [data-choose-show]', HTMLAnchorElement);
    if (link === null) return;
    event.preventDefault();
    choose(comparison, link);
  });
}

/** How much of the current screenshot is seen over the baseline. @param {HTMLElement} comparison */
function startOpacity(comparison) {
  const range = find(comparison, 'input[data-opacity]', HTMLInputElement);
  if (range === null) return;
  range.value = chosen.opacity ?? range.value;
  const show = () => {
    chosen.opacity = range.value;
    comparison.style.setProperty('--comparison-current', String(range.valueAsNumber / 100));
  };
  range.addEventListener('input', show);
  show();
}

/** What is drawn over the screenshots. @param {HTMLElement} comparison */
function startMarks(comparison) {
  for (const mark of ['[data-outlines]', '[data-ignored]']) {
    const box = find(comparison, mark, HTMLInputElement);
    if (box === null) continue;
    box.checked = chosen.marks.get(mark) ?? true;
    box.addEventListener('change', () => chosen.marks.set(mark, box.checked));
  }
}

/** @param {HTMLElement} comparison */
function startComparison(comparison) {
  startChoices(comparison);
  startOpacity(comparison);
  startMarks(comparison);
  const zoom = createZoom(comparison);
  if (zoom !== null) {
    startGestures(zoom);
    startRegions(comparison, (box) => reveal(zoom, box));
  }
  if (comparison.dataset.mode === 'swipe') void startSwipe(comparison);
  void loadAhead(comparison);
}

/** Starts all comparisons inside the element that were not started yet. @param {ParentNode} within */
export function startComparisons(within) {
  for (const comparison of findAll(within, '[data-comparison]:not([data-started])', HTMLElement)) {
    comparison.dataset.started = '';
    startComparison(comparison);
  }
}

/** While one of these keys is held down, only its screenshot is shown. @type {Map<string, 'baseline' | 'current'>} */
const HELD = new Map([
  ['ArrowLeft', 'baseline'],
  ['ArrowRight', 'current'],
]);

/** @param {'baseline' | 'current' | null} which null: show what the mode shows */
function hold(which) {
  const comparison = find(document, '[data-comparison]', HTMLElement);
  if (comparison === null) return;
  if (which === null) delete comparison.dataset.hold;
  else comparison.dataset.hold = which;
  swipeTo(comparison, which === null ? 50 : which === 'baseline' ? 100 : 0);
}

/** @param {KeyboardEvent} event */
function holdScreenshot(event) {
  const which = HELD.get(event.key);
  if (which === undefined || event.shiftKey || !isFree(event)) return;
  event.preventDefault();
  if (!event.repeat) hold(which);
}

/** Fractions of the stage's height. @type {Map<string, number>} */
const SCROLLS = new Map([
  ['PageDown', 0.9],
  ['PageUp', -0.9],
  ['Home', -Infinity],
  ['End', Infinity],
]);

/** px, used with Shift. @type {Map<string, number>} */
const SIDEWAYS = new Map([
  ['ArrowLeft', -120],
  ['ArrowRight', 120],
]);

/** The scroll keys move the screenshots even if these don't have the focus. @param {KeyboardEvent} event */
function scroll(event) {
  const stage = find(document, '[data-stage]', HTMLElement);
  if (stage === null || !isFree(event)) return;
  const sideways = event.shiftKey ? SIDEWAYS.get(event.key) : undefined;
  if (sideways !== undefined) {
    event.preventDefault();
    for (const pane of stage.querySelectorAll('[data-pane]')) pane.scrollLeft += sideways;
  }
  const part = SCROLLS.get(event.key);
  if (part === undefined || event.shiftKey || document.activeElement !== document.body) return;
  event.preventDefault();
  stage.scrollTop += Math.max(-1e6, Math.min(1e6, part * stage.clientHeight));
}

document.addEventListener('keydown', holdScreenshot);
document.addEventListener('keydown', scroll);
document.addEventListener('keyup', ({ key }) => {
  if (HELD.has(key)) hold(null);
});
window.addEventListener('blur', () => hold(null));

startComparisons(document);
