/**
 * The review of a run: goes from result to result without reloading the page, and keeps the list next to it up to date.
 */
import './keys.js';
import { restoreScale, restoreScroll, saveView } from './keep-view.js';
import { withChoice } from './choice.js';
import './comparison-draw.js';
import { startComparisons } from './comparison-view.js';
import { find } from './elements.js';

const list = document.getElementById('review-list');

/** Marks the open result in the list and scrolls to it. @param {string} result */
function markCurrent(result) {
  const row = list?.querySelector(`[data-result="${CSS.escape(result)}"]`);
  if (!list || !row) {
    // The list shows another part of the results. A reload loads the right one.
    location.replace(location.href);
    return;
  }
  list.querySelector('[aria-current]')?.removeAttribute('aria-current');
  row.setAttribute('aria-current', 'true');
  row.closest('details')?.setAttribute('open', '');
  row.scrollIntoView({ block: 'nearest' });
}

document.addEventListener('htmx:configRequest', ({ detail }) => {
  if (detail.target.id === 'review-main') detail.path = withChoice(detail.path);
});

/** The result on the page. A swap may also load a part of the list or what others did, or the same result again. */
let shown = document.getElementById('review-main');

document.addEventListener('htmx:afterSwap', () => {
  const main = document.getElementById('review-main');
  if (main === null || main === shown) return;
  const before = shown?.dataset.result;
  shown = main;
  restoreScale();
  startComparisons(main);
  restoreScroll();
  const { result, news = '' } = main.dataset;
  if (result === undefined || result === before) return;
  markCurrent(result);
  const announcer = document.getElementById('announcer');
  if (announcer !== null) announcer.textContent = news;
});

document.addEventListener('htmx:beforeSwap', ({ detail }) => {
  if (detail.target.id === 'review-main') saveView();
});
addEventListener('pagehide', saveView);

/** Forms also redirect to a result, which should be shown in the current mode. */
document.addEventListener('submit', ({ target }) => {
  const back = target instanceof HTMLFormElement ? target.elements.namedItem('back') : null;
  if (back instanceof HTMLInputElement && back.value.includes('/results/')) back.value = withChoice(back.value);
});

restoreScroll();

if (list !== null && list.offsetHeight > 0) {
  find(list, '[aria-current]', HTMLElement)?.scrollIntoView({ block: 'center' });
}
