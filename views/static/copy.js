/** Links to a text that copy it. Without scripts, or where the browser does not let us, they open it. */
import { closest } from './elements.js';

/** @param {string} address */
async function readText(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status}`);
  return new Blob([await answer.text()], { type: 'text/plain' });
}

/** @param {HTMLAnchorElement} link */
async function copy(link) {
  try {
    // The text may arrive later: the browser has to know at once that it is for the clipboard.
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': readText(link.href) })]);
    const label = link.querySelector('span');
    if (label !== null) label.textContent = 'Copied';
  } catch {
    location.assign(link.href);
  }
}

document.addEventListener('click', (event) => {
  const link = closest(event.target, 'a[data-copies]', HTMLAnchorElement);
  const opens = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (link === null || opens || !('clipboard' in navigator) || !('ClipboardItem' in globalThis)) return;
  event.preventDefault();
  void copy(link);
});
