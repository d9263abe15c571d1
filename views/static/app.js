/** Small things of every page; each page works without them. */

import { keepPartsHonest } from './parts.js';

const YEAR_SECONDS = 365 * 86_400;

/** Tells the server the zone that times are to be printed in, and puts right what it printed before it knew. */
function useOwnZone() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { documentElement: root } = document;
  if (!timeZone || root.dataset.zone === timeZone) return;
  const secure = location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `pixelgate_zone=${encodeURIComponent(timeZone)}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`;
  printTimes(document);
  document.addEventListener('htmx:afterSwap', (event) => printTimes(event.target));
}

/** As `web/show-time.ts` prints them. */
const short = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

function printTimes(within) {
  for (const element of within.querySelectorAll('time[datetime]')) {
    const at = new Date(element.dateTime);
    if (!('age' in element.dataset)) element.textContent = short.format(at);
    element.title = exact.format(at);
  }
}

/** A menu closes when the focus or a click goes elsewhere, and with Escape. */
function closeMenus() {
  const closeOthers = ({ target }) => {
    for (const menu of document.querySelectorAll('details[data-menu][open]')) {
      if (!menu.contains(target)) menu.open = false;
    }
  };
  document.addEventListener('click', closeOthers);
  document.addEventListener('focusin', closeOthers);
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    const menu = document.querySelector('details[data-menu][open]');
    if (menu === null) return;
    menu.open = false;
    menu.querySelector('summary').focus();
  });
}

/** A form that came back begins where it is wrong: the focus reads the field out, with what is said of it. */
function goToFirstProblem() {
  document.querySelector('[aria-invalid="true"]')?.focus();
}

/** As long as a sent form is held back if its answer never comes. */
const ANSWER_MS = 10_000;

/** A second click would do the thing twice. Where the browser brings a page back, its forms can be sent again. */
function sendOnce() {
  const sent = new WeakMap();
  let shown = performance.now();
  document.addEventListener('submit', (event) => {
    const { target: form, defaultPrevented, timeStamp } = event;
    if (defaultPrevented || form.method !== 'post') return;
    const last = sent.get(form) ?? -Infinity;
    if (last > shown && timeStamp - last < ANSWER_MS) event.preventDefault();
    else sent.set(form, timeStamp);
  });
  addEventListener('pageshow', () => {
    shown = performance.now();
  });
}

useOwnZone();
closeMenus();
goToFirstProblem();
sendOnce();
keepPartsHonest();
