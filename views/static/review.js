/** The review of a run: from result to result without loading the page anew, with the list beside it in step. */
import './keys.js';
import { startViewers } from './viewer.js';

const list = document.getElementById('review-list');

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
  const open = list.querySelector('[aria-current]');
  const row = list.querySelector(`[data-result="${CSS.escape(main.dataset.result)}"]`);
  open?.removeAttribute('aria-current');
  row?.setAttribute('aria-current', 'true');
  row?.closest('details')?.setAttribute('open', '');
  show(row);
}

/** The filter stays above the rows, so a row right below the upper edge would lie under it. @param {Element | null} row */
function show(row) {
  if (row === null || list.offsetHeight === 0) return;
  const [box, frame] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
  const head = list.querySelector('summary').getBoundingClientRect().height + 24;
  if (box.top < frame.top + head) list.scrollTop += box.top - frame.top - head;
  else if (box.bottom > frame.bottom) list.scrollTop += box.bottom - frame.bottom + 24;
}

document.addEventListener('htmx:configRequest', ({ detail }) => {
  if (detail.target.id === 'review-main') detail.path = withChoice(detail.path);
});

document.addEventListener('htmx:afterSwap', () => {
  const main = document.getElementById('review-main');
  if (main === null || main.querySelector('[data-viewer]:not([data-started])') === null) {
    if (main !== null && list.querySelector('[aria-current]')?.getAttribute('data-result') !== main.dataset.result)
      arrive(main);
    return;
  }
  startViewers(main);
  arrive(main);
});

/** @param {HTMLElement} main */
function arrive(main) {
  markCurrent(main);
  document.querySelector('[data-news]:not(#review-main)').textContent = main.dataset.news;
}

/** A form leads back to another result in the mode that was chosen meanwhile. */
document.addEventListener('submit', ({ target }) => {
  const back = target instanceof HTMLFormElement ? target.elements.namedItem('back') : null;
  if (back instanceof HTMLInputElement && back.value.includes('/results/')) back.value = withChoice(back.value);
});

show(list.querySelector('[aria-current]'));
