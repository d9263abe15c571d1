/** The pictures: changes of the mode without loading, how much of which shows, keys that hold one of them. */
import { isFree } from './keys.js';
import { startRegions } from './comparison-regions.js';
import { startZoom } from './comparison-zoom.js';

/** What was set stays from result to result. @type {Map<string, any>} */
const chosen = new Map();

const HELD = { ArrowLeft: 'baseline', ArrowRight: 'current' };

/** @param {HTMLElement} comparison @param {string} name */
function marked(comparison, name, value) {
  for (const link of comparison.querySelectorAll(`[data-choose-${name}]`)) {
    if (link.getAttribute(`data-choose-${name}`) === value) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

/** The component is loaded when it is first wanted, and told to say what it is. @param {HTMLElement} comparison */
async function startSwipe(comparison) {
  const slider = comparison.querySelector('[data-swipe]');
  if (!(slider instanceof HTMLElement) || slider.role === 'slider') return;
  slider.role = 'slider';
  await import('./img-comparison-slider.js');
  const say = () => {
    const percent = Math.round(Number(Reflect.get(slider, 'value')));
    slider.ariaValueNow = String(percent);
    slider.ariaValueText = `${percent} % of the one before`;
  };
  const stage = slider.closest('[data-stage]');
  const bringHandle = () => {
    const top = stage.scrollTop + Math.min(240, stage.clientHeight / 2);
    slider.style.setProperty('--handle-position-start', `min(${top}px, 100% - 32px)`);
  };
  stage.addEventListener('scroll', bringHandle, { passive: true });
  bringHandle();
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

/** @param {HTMLElement} comparison @param {HTMLAnchorElement} link */
function choose(comparison, link) {
  const { chooseMode, chooseShow } = link.dataset;
  comparison.dataset.mode = chooseMode ?? 'single';
  marked(comparison, 'mode', comparison.dataset.mode);
  if (chooseShow !== undefined) {
    comparison.dataset.show = chooseShow;
    marked(comparison, 'show', chooseShow);
  }
  if (comparison.dataset.mode === 'swipe') void startSwipe(comparison);
  history.replaceState(history.state, '', link.href);
  comparison.dispatchEvent(new CustomEvent('comparison:mode', { bubbles: true }));
}

/** @param {HTMLElement} comparison */
function startChoices(comparison) {
  comparison.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    const link =
      event.target instanceof Element ? event.target.closest('[data-choose-mode], [data-choose-show]') : null;
    if (!(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    choose(comparison, link);
  });
  for (const range of comparison.querySelectorAll('input[data-opacity]')) {
    const { opacity } = range.dataset;
    range.value = chosen.get(opacity) ?? range.value;
    const show = () => {
      chosen.set(opacity, range.value);
      comparison.style.setProperty(`--comparison-${opacity}`, String(range.valueAsNumber / 100));
    };
    range.addEventListener('input', show);
    show();
  }
  const outlines = comparison.querySelector('[data-outlines]');
  if (outlines === null) return;
  outlines.checked = chosen.get('outlines') ?? true;
  outlines.addEventListener('change', () => chosen.set('outlines', outlines.checked));
}

/** @param {HTMLElement} comparison */
function startComparison(comparison) {
  startChoices(comparison);
  const zoom = startZoom(comparison);
  startRegions(comparison, zoom);
  if (comparison.dataset.mode === 'swipe') void startSwipe(comparison);
}

/** Those below the element that have not been started. @param {ParentNode} within */
export function startComparisons(within) {
  for (const comparison of within.querySelectorAll('[data-comparison]:not([data-started])')) {
    comparison.dataset.started = '';
    startComparison(comparison);
  }
}

/** @param {string | null} which */
function hold(which) {
  const comparison = document.querySelector('[data-comparison]');
  if (!(comparison instanceof HTMLElement)) return;
  if (which === null) delete comparison.dataset.hold;
  else comparison.dataset.hold = which;
  const slider = comparison.querySelector('[data-swipe].rendered');
  if (slider !== null) Reflect.set(slider, 'value', which === null ? 50 : which === 'baseline' ? 100 : 0);
}

document.addEventListener('keydown', (event) => {
  const which = HELD[event.key];
  if (which === undefined || event.shiftKey || !isFree(event)) return;
  event.preventDefault();
  if (!event.repeat) hold(which);
});
/** The keys that scroll move the pictures, too, when they have not the focus. */
const SCROLLS = { PageDown: 0.9, PageUp: -0.9, Home: -Infinity, End: Infinity };

document.addEventListener('keydown', (event) => {
  const stage = document.querySelector('[data-stage]');
  if (!(stage instanceof HTMLElement) || !isFree(event)) return;
  const sideways = event.shiftKey ? { ArrowLeft: -120, ArrowRight: 120 }[event.key] : undefined;
  if (sideways !== undefined) {
    event.preventDefault();
    for (const pane of stage.querySelectorAll('[data-pane]')) pane.scrollLeft += sideways;
  }
  const pages = SCROLLS[event.key];
  if (pages === undefined || event.shiftKey || document.activeElement !== document.body) return;
  event.preventDefault();
  stage.scrollTop += Math.max(-1e6, Math.min(1e6, pages * stage.clientHeight));
});

document.addEventListener('keyup', ({ key }) => {
  if (key in HELD) hold(null);
});
window.addEventListener('blur', () => hold(null));

startComparisons(document);
