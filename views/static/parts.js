/** What htmx leaves to the page: failures that nobody would see, changes that nobody would hear of. */

const UNREACHABLE = 'The service can’t be reached.';

const failure = () => document.getElementById('failure');

/** What the server says of it is in what it would have put into the page. */
function reasonOf({ xhr }) {
  if (!xhr?.responseText) return UNREACHABLE;
  const answer = new DOMParser().parseFromString(xhr.responseText, 'text/html');
  return answer.querySelector('[role=alert]')?.textContent.trim() || `Something went wrong (${xhr.status}).`;
}

/** The page stays as it is. A part that looks for news looks again by itself; what a person did, they have to repeat. */
function showFailure({ detail }) {
  const box = failure();
  if (box === null) return;
  const outcome = detail.requestConfig?.verb === 'get' ? 'This page may be out of date.' : 'Nothing was changed.';
  box.querySelector('span').textContent = `${reasonOf(detail)} ${outcome}`;
  box.hidden = false;
}

function hideFailure({ detail }) {
  const box = failure();
  if (box !== null && detail.successful) box.hidden = true;
}

/** A part says in `data-status` how things stand: told to a screen reader when it changes, not at each look. */
function announce() {
  const announcer = document.getElementById('announcer');
  const status = document.querySelector('[data-status]')?.dataset.status ?? '';
  if (announcer !== null && announcer.textContent !== status) announcer.textContent = status;
}

/** Nobody looks at a tab in the background; it asks again when it is back. */
function waitInBackground(event) {
  if (document.hidden && event.target.hasAttribute('data-poll')) event.preventDefault();
}

export function keepPartsHonest() {
  document.addEventListener('htmx:responseError', showFailure);
  document.addEventListener('htmx:sendError', showFailure);
  document.addEventListener('htmx:timeout', showFailure);
  document.addEventListener('htmx:afterRequest', hideFailure);
  document.addEventListener('htmx:afterSwap', announce);
  document.addEventListener('htmx:confirm', waitInBackground);
  failure()
    ?.querySelector('button')
    .addEventListener('click', () => {
      failure().hidden = true;
    });
}
