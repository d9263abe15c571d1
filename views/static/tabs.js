/**
 * Groups of settings that are all on the page: the fragment of the URL names a section, and the style sheet shows its group.
 * This says to screen readers which one it is, leads to fields that are not valid, and stays there when the form is sent.
 */

import { find, findAll } from './elements.js';

/** @param {HTMLElement} tabs */
function watch(tabs) {
  const links = findAll(document, '.settings-nav a', HTMLAnchorElement);
  const form = find(tabs, 'form', HTMLFormElement);
  const action = form?.getAttribute('action') ?? null;

  const follow = () => {
    const target = location.hash === '' ? null : document.getElementById(location.hash.slice(1));
    const tab = target?.closest('.settings-tab') ?? tabs.querySelector('.settings-first');
    for (const link of links) {
      if (link.dataset.group === tab?.getAttribute('data-group')) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    if (form !== null && action !== null) form.action = action + location.hash;
  };
  /** @param {Element} field */
  const show = (field) => {
    const section = field.closest('.settings-tab > [id]');
    if (section !== null && !section.checkVisibility()) location.replace(`#${section.id}`);
    if (field instanceof HTMLElement) field.focus();
  };

  // The browser can only point at a field that is shown. Without scripts, the server says what is wrong.
  if (form !== null) form.noValidate = false;
  tabs.addEventListener(
    'invalid',
    ({ target }) => {
      if (target instanceof Element) show(target);
    },
    true,
  );
  addEventListener('hashchange', follow);
  const wrong = tabs.querySelector('[aria-invalid="true"]');
  if (wrong !== null) show(wrong);
  follow();
}

for (const tabs of findAll(document, '[data-tabs]', HTMLElement)) watch(tabs);
