/** Small improvements on every page; each page works without them. */

import { find, findAll } from './elements.js';
import { unsentTexts, watchRequests } from './requests.js';
import { watchSearch } from './search.js';

const YEAR_SECONDS = 365 * 86_400;

/** The formats of `web/show-time.ts`, which are embedded in the page. */
function timeFormats() {
  /** @type {{ locale: string, short: Intl.DateTimeFormatOptions, exact: Intl.DateTimeFormatOptions }} */
  const { locale, short, exact } = JSON.parse(document.documentElement.dataset.timeFormats ?? '{}');
  return { short: new Intl.DateTimeFormat(locale, short), exact: new Intl.DateTimeFormat(locale, exact) };
}

/**
 * Tells the server the browser's time zone, and formats the times again that the server printed before it knew the
 * zone.
 */
function useOwnZone() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (!timeZone || document.documentElement.dataset.zone === timeZone) return;
  const secure = location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `pixelgate_zone=${encodeURIComponent(timeZone)}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`;
  const { short, exact } = timeFormats();
  /** @param {ParentNode} within */
  const printTimes = (within) => {
    for (const element of findAll(within, 'time[datetime]', HTMLTimeElement)) {
      const at = new Date(element.dateTime);
      if (!('age' in element.dataset)) element.textContent = short.format(at);
      element.title = exact.format(at);
    }
  };
  printTimes(document);
  document.addEventListener('htmx:after:swap', () => printTimes(document));
}

/** Closes a menu when the focus or a click goes elsewhere, and on Escape. */
function closeMenus() {
  /** @param {Event} event */
  const closeOthers = ({ target }) => {
    for (const menu of findAll(document, 'details[data-menu][open]', HTMLDetailsElement)) {
      if (!(target instanceof Node && menu.contains(target))) menu.open = false;
    }
  };
  document.addEventListener('click', closeOthers);
  document.addEventListener('focusin', closeOthers);
  document.addEventListener('keydown', (event) => {
    const menu = event.key === 'Escape' ? find(document, 'details[data-menu][open]', HTMLDetailsElement) : null;
    if (menu === null) return;
    event.preventDefault();
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
}

/** Focuses the first invalid field of a rejected form, so that a screen reader reads the field and its message. */
function goToFirstProblem() {
  find(document, '[aria-invalid="true"]', HTMLElement)?.focus();
}

/** How long a sent form stays blocked if no response arrives. */
const ANSWER_MS = 10_000;

/** Prevents a second click from repeating the action. When people go back to the page, its forms can be sent again. */
function sendOnce() {
  /** When each form was sent. @type {WeakMap<HTMLFormElement, number>} */
  const sent = new WeakMap();
  let shown = performance.now();
  document.addEventListener('submit', (event) => {
    const { target: form, submitter, defaultPrevented, timeStamp } = event;
    if (defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== 'post') return;
    // The page stays open, so that its form is sent again.
    if (submitter instanceof HTMLButtonElement && submitter.formTarget === '_blank') return;
    const last = sent.get(form) ?? -Infinity;
    if (last > shown && timeStamp - last < ANSWER_MS) event.preventDefault();
    else sent.set(form, timeStamp);
  });
  addEventListener('pageshow', () => {
    shown = performance.now();
  });
}

/** The browser asks before a text is lost that was typed but not sent. */
function keepTexts() {
  /** @type {EventTarget | null} */
  let sending = null;
  document.addEventListener('submit', ({ target, defaultPrevented }) => {
    if (!defaultPrevented) sending = target;
  });
  addEventListener('beforeunload', (event) => {
    if (unsentTexts(document).some(({ form }) => form !== sending)) event.preventDefault();
  });
}

/** An image that the storage has lost says so, where there would be an empty box. */
function nameLostImages() {
  /** @param {EventTarget | null} image */
  const name = (image) => {
    if (image instanceof HTMLImageElement && image.alt === '') image.alt = 'Image missing';
  };
  for (const image of document.images) if (image.complete && image.naturalWidth === 0) name(image);
  // This event does not bubble.
  document.addEventListener('error', ({ target }) => name(target), true);
}

useOwnZone();
closeMenus();
nameLostImages();
goToFirstProblem();
sendOnce();
keepTexts();
watchRequests();
watchSearch();
