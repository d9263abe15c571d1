/**
 * Keyboard shortcuts. They are defined only in the page: pressing a key clicks the link, button, check box or menu that
 * has this key in `aria-keyshortcuts`. Keys with Ctrl, Alt or Meta belong to the browser. Shortcuts are off while
 * somebody types or a dialog is open. While a menu is open, only those in it work. Those of a single character are off
 * for whoever has switched them off, because speech input may press them by accident (WCAG 2.1.4).
 */

import { closest, findAll, isTypedInto } from './elements.js';

/** Elements that handle the arrow keys or the space key themselves. */
const OWN_ARROWS = 'input, select, [role=slider]';
const OWN_SPACE = 'input, button, summary, [role=slider]';

/** @param {KeyboardEvent} event */
function nameKey(event) {
  if (event.key === ' ') return 'Space';
  const isUpperCase = event.key.length === 1 && event.key !== event.key.toLowerCase();
  return isUpperCase ? `Shift+${event.key}` : event.key;
}

const areCharactersOff = () => document.documentElement.dataset.keys === 'off';

/** The page does not offer what is switched off. @param {ParentNode} within */
function dropCharacters(within) {
  for (const element of findAll(within, '[aria-keyshortcuts]', HTMLElement)) {
    const keys = (element.getAttribute('aria-keyshortcuts') ?? '').split(' ');
    const kept = keys.filter((key) => key.length > 1 && key !== 'Space' && !key.startsWith('Shift+'));
    if (kept.length === 0) element.removeAttribute('aria-keyshortcuts');
    else element.setAttribute('aria-keyshortcuts', kept.join(' '));
    if (kept.length < keys.length) element.title = element.title.replace(/ \([^()]{1,5}\)$/, '');
  }
}

/** Whether the focused element does not need the key, so that the page can handle it. @param {KeyboardEvent} event */
export function isFree(event) {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key.length === 1 && areCharactersOff()) return false;
  const { target } = event;
  if (!(target instanceof Element)) return true;
  if (document.querySelector('dialog[open]') !== null) return false;
  if (isTypedInto(target)) return false;
  if (event.key.startsWith('Arrow') && target.matches(OWN_ARROWS)) return false;
  return !(event.key === ' ' && target.matches(OWN_SPACE));
}

/** Opens a menu and moves the focus into it, or closes it. @param {HTMLElement} summary */
function toggleMenu(summary) {
  const menu = summary.parentElement;
  summary.click();
  if (!(menu instanceof HTMLDetailsElement) || !menu.open) {
    summary.focus();
    return;
  }
  const first = menu.querySelector('textarea') ?? menu.querySelector('input:not([type=hidden]), button');
  if (first instanceof HTMLElement) first.focus();
}

/**
 * What is typed next is a reason, also in a menu that was opened with the mouse. Otherwise a space would close it, and the
 * letters after it would be shortcuts. On a touch screen, the keyboard would cover the menu.
 * @param {EventTarget | null} menu
 * @returns whether the text of an open menu has the focus now
 */
function focusText(menu) {
  if (!(menu instanceof HTMLDetailsElement) || !menu.open || !menu.matches('[data-menu]')) return false;
  const text = matchMedia('(any-pointer: fine)').matches ? menu.querySelector('textarea') : null;
  text?.focus();
  return text !== null;
}

/** @param {KeyboardEvent} event */
function press(event) {
  // On a busy machine, the toggle event of a menu comes after the first keys. They are typed into its text.
  const isTyped = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (isTyped && focusText(closest(event.target, 'summary', HTMLElement)?.parentElement ?? null)) return;
  if (!isFree(event)) return;
  const within = document.querySelector('details[data-menu][open]') ?? document;
  const target = within.querySelector(`[aria-keyshortcuts~="${CSS.escape(nameKey(event))}"]:not(:disabled)`);
  if (!(target instanceof HTMLElement)) return;
  event.preventDefault();
  if (event.repeat && !['h', 'j', 'k', 'l', 'n', 'p', '+', '-'].includes(event.key)) return;
  if (target.localName === 'summary') toggleMenu(target);
  else target.click();
}

/** Handles buttons that open a dialog by its ID. @param {MouseEvent} event */
function openDialog({ target }) {
  const button = closest(target, '[data-opens]', HTMLElement);
  const dialog = document.getElementById(button?.dataset.opens ?? '');
  if (dialog instanceof HTMLDialogElement) dialog.showModal();
}

/** Escape in an empty search field removes the focus, so that the shortcuts work again. @param {KeyboardEvent} event */
function leaveSearch({ key, target }) {
  if (key === 'Escape' && target instanceof HTMLInputElement && target.type === 'search' && target.value === '') {
    target.blur();
  }
}

if (areCharactersOff()) {
  dropCharacters(document);
  document.addEventListener('htmx:after:swap', () => dropCharacters(document));
}
document.addEventListener('keydown', press);
document.addEventListener('keydown', leaveSearch);
document.addEventListener('click', openDialog);
document.addEventListener('toggle', ({ target }) => focusText(target), true);
