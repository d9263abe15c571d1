/**
 * The review of a run: goes from result to result without reloading the page, and keeps the list next to it up to date.
 */
import './keys.js';
import { withChoice } from './choice.js';
import { restoreScale, restoreScroll, saveView } from './keep-view.js';
import './point.js';
import { startComparisons } from './comparison-view.js';
import { find } from './elements.js';
import { isBegun, unsentTexts } from './requests.js';

const list = document.getElementById('review-list');

/** Marks what is open in the list and scrolls to it: a change or a result. @param {string} stop */
function markCurrent(stop) {
  const row = list?.querySelector(`[data-stop="${CSS.escape(stop)}"]`);
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

document.addEventListener('htmx:config:request', ({ detail: { ctx } }) => {
  if (ctx.target.id !== 'review-main') return;
  ctx.request.action = withChoice(ctx.request.action);
  if (unsentTexts(ctx.target).length > 0) ctx.confirm = 'Leave this screenshot? What you typed was not sent.';
});

/** Somebody has begun to type since it was asked for. On another screenshot, what they type would be shortcuts. */
document.addEventListener('htmx:after:request', (event) => {
  const { ctx } = event.detail;
  if (ctx.target.id === 'review-main' && !ctx.confirm && isBegun(ctx.target)) event.preventDefault();
});

/** The result on the page. A swap may also load a part of the list or what others did, or the same result again. */
let shown = document.getElementById('review-main');

document.addEventListener('htmx:after:swap', () => {
  const main = document.getElementById('review-main');
  if (main === null || main === shown) return;
  const before = shown?.dataset;
  shown = main;
  restoreScale();
  startComparisons(main);
  restoreScroll();
  showCurrent(main);
  const { result, stop, news = '' } = main.dataset;
  if (stop === undefined || (stop === before?.stop && result === before.result)) return;
  if (stop !== before?.stop) markCurrent(stop);
  const announcer = document.getElementById('announcer');
  if (announcer !== null) announcer.textContent = news;
});

document.addEventListener('htmx:before:swap', ({ detail }) => {
  if (detail.ctx.target.id === 'review-main') saveView();
});
addEventListener('pagehide', saveView);

/** Forms also redirect to a result, which should be shown in the current mode. */
document.addEventListener('submit', ({ target }) => {
  for (const name of ['back', 'here']) {
    const field = target instanceof HTMLFormElement ? target.elements.namedItem(name) : null;
    if (field instanceof HTMLInputElement && field.value.includes('/results/')) field.value = withChoice(field.value);
  }
});

/** The open screenshot in the strip below the picture. @param {ParentNode} within */
function showCurrent(within) {
  find(within, '.review-strip [aria-current]', HTMLElement)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

restoreScroll();
showCurrent(document);

if (list !== null && list.offsetHeight > 0) {
  find(list, '[aria-current]', HTMLElement)?.scrollIntoView({ block: 'center' });
}
