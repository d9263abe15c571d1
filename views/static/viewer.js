/** The pictures: changes of the mode without loading, how much of which shows, keys that hold one of them. */
import { isFree } from './keys.js';
import { startRegions } from './viewer-regions.js';
import { startZoom } from './viewer-zoom.js';

const HELD = { ArrowLeft: 'baseline', ArrowRight: 'current' };

/** @param {HTMLElement} viewer @param {string} name */
function marked(viewer, name, value) {
  for (const link of viewer.querySelectorAll(`[data-choose-${name}]`)) {
    if (link.getAttribute(`data-choose-${name}`) === value) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

/** The component is loaded when it is first wanted, and told to say what it is. @param {HTMLElement} viewer */
async function startSwipe(viewer) {
  const slider = viewer.querySelector('[data-swipe]');
  if (!(slider instanceof HTMLElement) || slider.role === 'slider') return;
  slider.role = 'slider';
  await import('./img-comparison-slider.js');
  const say = () => {
    const percent = Math.round(Number(Reflect.get(slider, 'value')));
    slider.ariaValueNow = String(percent);
    slider.ariaValueText = `${percent} % of the one before`;
  };
  Object.assign(slider, {
    ariaLabel: 'Where one picture ends and the other begins',
    ariaValueMin: '0',
    ariaValueMax: '100',
  });
  slider.addEventListener('slide', say);
  slider.addEventListener('keydown', ({ key }) => {
    if (key !== 'Home' && key !== 'End') return;
    Reflect.set(slider, 'value', key === 'Home' ? 0 : 100);
    say();
  });
  say();
}

/** @param {HTMLElement} viewer @param {HTMLAnchorElement} link */
function choose(viewer, link) {
  const { chooseMode, chooseShow } = link.dataset;
  viewer.dataset.mode = chooseMode ?? 'single';
  marked(viewer, 'mode', viewer.dataset.mode);
  if (chooseShow !== undefined) {
    viewer.dataset.show = chooseShow;
    marked(viewer, 'show', chooseShow);
  }
  if (viewer.dataset.mode === 'swipe') void startSwipe(viewer);
  history.replaceState(history.state, '', link.href);
  viewer.dispatchEvent(new CustomEvent('viewer:mode', { bubbles: true }));
}

/** @param {HTMLElement} viewer */
function startChoices(viewer) {
  viewer.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    const link =
      event.target instanceof Element ? event.target.closest('[data-choose-mode], [data-choose-show]') : null;
    if (!(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    choose(viewer, link);
  });
  for (const range of viewer.querySelectorAll('input[data-opacity]')) {
    const show = () => viewer.style.setProperty(`--viewer-${range.dataset.opacity}`, String(range.valueAsNumber / 100));
    range.addEventListener('input', show);
    show();
  }
}

/** @param {HTMLElement} viewer */
function startViewer(viewer) {
  startChoices(viewer);
  const zoom = startZoom(viewer);
  startRegions(viewer, zoom);
  if (viewer.dataset.mode === 'swipe') void startSwipe(viewer);
}

/** Those below the element that have not been started. @param {ParentNode} within */
export function startViewers(within) {
  for (const viewer of within.querySelectorAll('[data-viewer]:not([data-started])')) {
    viewer.dataset.started = '';
    startViewer(viewer);
  }
}

/** @param {string | null} which */
function hold(which) {
  const viewer = document.querySelector('[data-viewer]');
  if (!(viewer instanceof HTMLElement)) return;
  if (which === null) delete viewer.dataset.hold;
  else viewer.dataset.hold = which;
  const slider = viewer.querySelector('[data-swipe].rendered');
  if (slider !== null) Reflect.set(slider, 'value', which === null ? 50 : which === 'baseline' ? 100 : 0);
}

document.addEventListener('keydown', (event) => {
  const which = HELD[event.key];
  if (which === undefined || event.shiftKey || !isFree(event)) return;
  event.preventDefault();
  if (!event.repeat) hold(which);
});
document.addEventListener('keyup', ({ key }) => {
  if (key in HELD) hold(null);
});
window.addEventListener('blur', () => hold(null));

startViewers(document);
