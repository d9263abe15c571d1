/** htmx requests: shows failures, announces changes, and stops polling where it would disturb. */

import { findAll, isTypedInto } from './elements.js';

const UNREACHABLE = 'Pixelgate can’t be reached.';

const failureBox = () => document.getElementById('failure');

/** The server's message is in the HTML that it wanted to put into the page. @param {Exchange | undefined} exchange */
export function failureText(exchange) {
  if (!exchange?.response || !exchange.text) return UNREACHABLE;
  const answer = new DOMParser().parseFromString(exchange.text, 'text/html');
  const { status } = exchange.response;
  return answer.querySelector('[role=alert]')?.textContent?.trim() || `Something went wrong (${status}).`;
}

/** A part that polls tries again by itself; people have to repeat their own actions. @param {Exchange | undefined} exchange */
function showFailure(exchange) {
  const box = failureBox();
  const text = box?.querySelector('span');
  if (!box || !text) return;
  const outcome = exchange?.request.method === 'GET' ? 'This page may be out of date.' : 'Nothing was changed.';
  text.textContent = `${failureText(exchange)} ${outcome}`;
  box.hidden = false;
}

function hideFailure() {
  const box = failureBox();
  if (box !== null) box.hidden = true;
}

/** An error changes neither the page nor its address. @param {CustomEvent<{ ctx: Exchange }>} event */
function refuseErrors(event) {
  const { ctx } = event.detail;
  if (ctx.response && ctx.response.status >= 400) event.preventDefault();
  else hideFailure();
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

/** The texts that somebody has typed and not sent. @param {ParentNode} part */
export const unsentTexts = (part) =>
  findAll(part, 'textarea', HTMLTextAreaElement).filter(({ value, defaultValue }) => value !== defaultValue);

/** Whether somebody types in it, or has typed what was not sent. @param {Element} part */
export const isBegun = (part) =>
  (part.contains(document.activeElement) && isTypedInto(document.activeElement)) || unsentTexts(part).length > 0;

/**
 * Nobody looks at a background tab. It polls again when it becomes visible. What is typed would be lost with the part that it
 * is in. @param {Event} event
 */
function waitWithPoll(event) {
  const { target } = event;
  if (!(target instanceof Element && target.hasAttribute('data-poll'))) return;
  if (document.hidden || isBegun(target)) event.preventDefault();
}

export function watchRequests() {
  document.addEventListener('htmx:response:error', ({ detail }) => showFailure(detail.ctx));
  document.addEventListener('htmx:error', ({ detail }) => showFailure(detail.ctx));
  document.addEventListener('htmx:before:swap', refuseErrors);
  document.addEventListener('htmx:after:swap', announce);
  document.addEventListener('htmx:config:request', waitWithPoll);
  const box = failureBox();
  box?.querySelector('button')?.addEventListener('click', () => {
    box.hidden = true;
  });
}
