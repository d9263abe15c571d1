/**
 * Quick search: a dialog that `/` or Ctrl-K opens. The field is a combobox, so the focus stays in it while the arrow keys
 * choose a result. Without scripts, the link in the header leads to the page of the search.
 */

import { closest, find, findAll, isTypedInto } from './elements.js';
import { failureText } from './requests.js';

/** Ctrl-K always; the slash where it is not typed and the page has no other use for it. @param {KeyboardEvent} event */
function opens(event) {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
  if (event.isComposing || event.defaultPrevented) return false;
  if (key.toLowerCase() === 'k') return (ctrlKey || metaKey) && !altKey && !shiftKey;
  if (key !== '/' || ctrlKey || metaKey || altKey) return false;
  if (document.documentElement.dataset.keys === 'off') return false;
  return !isTypedInto(target);
}

/** The results, of which at most one is chosen. @param {HTMLInputElement} input @param {HTMLElement} list */
function optionsOf(input, list) {
  const all = () => findAll(list, '[role=option]', HTMLAnchorElement);
  const chosen = () => find(list, '[aria-selected=true]', HTMLAnchorElement);

  /** @param {HTMLAnchorElement | null} option */
  const choose = (option) => {
    for (const each of all()) each.setAttribute('aria-selected', String(each === option));
    if (option === null) input.removeAttribute('aria-activedescendant');
    else {
      input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    }
  };
  /** @param {number} step */
  const move = (step) => {
    const options = all();
    const at = options.findIndex((option) => option === chosen());
    const next = at === -1 ? (step > 0 ? 0 : options.length - 1) : (at + step + options.length) % options.length;
    choose(options[next] ?? null);
  };
  /** Chooses the first, and says how many there are. */
  const begin = () => {
    const [first = null] = all();
    input.setAttribute('aria-expanded', String(first !== null));
    choose(first);
    return find(list, '[data-search-status]', HTMLElement)?.dataset.searchStatus ?? '';
  };
  return { chosen, choose, move, begin };
}

/** @param {HTMLDialogElement} dialog @param {HTMLInputElement} input */
function openAndClose(dialog, input) {
  const mayOpen = () => document.querySelector('dialog[open]') === null;
  /** @param {Event} event */
  const open = (event) => {
    event.preventDefault();
    dialog.showModal();
    input.select();
  };
  document.addEventListener('keydown', (event) => {
    if (opens(event) && mayOpen()) open(event);
  });
  document.addEventListener('click', (event) => {
    const link = closest(event.target, '[data-search-open]', HTMLAnchorElement);
    if (link !== null && !event.ctrlKey && !event.metaKey && !event.shiftKey && mayOpen()) open(event);
  });
  dialog.addEventListener('click', ({ target }) => {
    // The dialog itself is what is clicked on its backdrop.
    if (target === dialog || closest(target, '[data-search-close]', HTMLButtonElement) !== null) dialog.close();
  });
}

/** @param {HTMLDialogElement} dialog @param {HTMLInputElement} input @param {HTMLElement} list */
function watch(dialog, input, list) {
  const status = find(dialog, '[role=status]', HTMLElement);
  /** @param {string} text */
  const say = (text) => {
    if (status !== null) status.textContent = text;
  };
  const { chosen, choose, move, begin } = optionsOf(input, list);
  // A closed dialog's field keeps the focus until the next frame, and would take the keys. By itself, the first Escape would
  // only empty the field.
  const leave = () => {
    input.blur();
    dialog.close();
  };
  openAndClose(dialog, input);
  // What was found before is not what is looked for now: Enter sends the form until the answer is there.
  input.addEventListener('input', () => choose(null));
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const option = event.key === 'Enter' ? chosen() : null;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Escape') leave();
    else if (option !== null) option.click();
    else return;
    event.preventDefault();
  });
  input.addEventListener('htmx:after:swap', () => say(begin()));
  /** @param {CustomEvent<{ ctx?: Exchange }>} event */
  const fail = (event) => {
    // The page would tell it behind the dialog.
    event.stopPropagation();
    say(failureText(event.detail.ctx));
  };
  input.addEventListener('htmx:response:error', fail);
  input.addEventListener('htmx:error', fail);
}

export function watchSearch() {
  const dialog = find(document, '#quick-search', HTMLDialogElement);
  const input = dialog && find(dialog, 'input', HTMLInputElement);
  const list = dialog && find(dialog, '[role=listbox]', HTMLElement);
  if (dialog && input && list) watch(dialog, input, list);
}
