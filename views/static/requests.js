/** htmx requests: shows failures, announces changes, and stops polling in a background tab. */

import { findAll } from './elements.js';

const UNREACHABLE = 'Pixelgate can’t be reached.';

const failureBox = () => document.getElementById('failure');

/** The server's message is in the HTML that it wanted to put into the page. @param {XMLHttpRequest | undefined} xhr */
function failureText(xhr) {
  if (!xhr?.responseText) return UNREACHABLE;
  const answer = new DOMParser().parseFromString(xhr.responseText, 'text/html');
  return answer.querySelector('[role=alert]')?.textContent?.trim() || `Something went wrong (${xhr.status}).`;
}

/**
 * The page is not changed. A part that polls tries again by itself; people have to repeat their own actions.
 * @param {CustomEvent<Exchange>} event
 */
function showFailure({ detail }) {
  const box = failureBox();
  const text = box?.querySelector('span');
  if (!box || !text) return;
  const outcome = detail.requestConfig?.verb === 'get' ? 'This page may be out of date.' : 'Nothing was changed.';
  text.textContent = `${failureText(detail.xhr)} ${outcome}`;
  box.hidden = false;
}

/** @param {CustomEvent<Exchange>} event */
function hideFailure({ detail }) {
  const box = failureBox();
  if (box !== null && detail.successful) box.hidden = true;
}

/** What the parts of the page say of themselves. */
const statuses = () =>
  findAll(document, '[data-status]', HTMLElement).flatMap(({ dataset: { status } }) => status || []);

let told = statuses();

/** Makes screen readers read `data-status` of a part when it has changed, not at each poll. */
function announce() {
  const now = statuses();
  const news = now.filter((status) => !told.includes(status));
  told = now;
  const announcer = document.getElementById('announcer');
  if (announcer !== null && news.length > 0) announcer.textContent = news.join('. ');
}

/** Nobody looks at a background tab. It polls again when it becomes visible. @param {Event} event */
function waitInBackground(event) {
  const { target } = event;
  if (document.hidden && target instanceof Element && target.hasAttribute('data-poll')) event.preventDefault();
}

export function watchRequests() {
  document.addEventListener('htmx:responseError', showFailure);
  document.addEventListener('htmx:sendError', showFailure);
  document.addEventListener('htmx:timeout', showFailure);
  document.addEventListener('htmx:afterRequest', hideFailure);
  document.addEventListener('htmx:afterSwap', announce);
  document.addEventListener('htmx:confirm', waitInBackground);
  const box = failureBox();
  box?.querySelector('button')?.addEventListener('click', () => {
    box.hidden = true;
  });
}
