/** The review of a run: from result to result without loading the page anew, with the list beside it in step. */
import './keys.js';
import { startComparisons } from './comparison-view.js';

const list = document.getElementById('review-list');
const news = document.getElementById('announcer');

/** The mode that was chosen goes along; what the server printed may be of the one before. @param {string} path */
function withChoice(path) {
  const from = new URLSearchParams(location.search);
  const to = new URL(path, location.href);
  for (const name of ['mode', 'show']) {
    const value = from.get(name);
    if (value !== null) to.searchParams.set(name, value);
  }
  return to.pathname + to.search + to.hash;
}

/** Marks the open result in the list, and brings it into sight. @param {HTMLElement} main */
function markCurrent(main) {
  const row = list.querySelector(`[data-result="${CSS.escape(main.dataset.result)}"]`);
  // It lies beyond the part of the list that is here: the page brings another.
  if (row === null) location.replace(location.href);
  list.querySelector('[aria-current]')?.removeAttribute('aria-current');
  row?.setAttribute('aria-current', 'true');
  row?.closest('details')?.setAttribute('open', '');
  row?.scrollIntoView({ block: 'nearest' });
}

document.addEventListener('htmx:configRequest', ({ detail }) => {
  if (detail.target.id === 'review-main') detail.path = withChoice(detail.path);
});

/** Which result the page shows; parts of the list come, too. */
let shown = document.getElementById('review-main').dataset.result;

document.addEventListener('htmx:afterSwap', () => {
  const main = document.getElementById('review-main');
  if (main === null) return;
  startComparisons(main);
  if (main.dataset.result === shown) return;
  shown = main.dataset.result;
  markCurrent(main);
  news.textContent = main.dataset.news;
});

/** A form leads back to another result in the mode that was chosen meanwhile. */
document.addEventListener('submit', ({ target }) => {
  const back = target instanceof HTMLFormElement ? target.elements.namedItem('back') : null;
  if (back instanceof HTMLInputElement && back.value.includes('/results/')) back.value = withChoice(back.value);
});

if (list.offsetHeight > 0) list.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });
