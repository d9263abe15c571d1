/** How differences and blinking look. The open page shows it at once; the form of the field saves it for the account. */
import { closest, find, findAll } from './elements.js';

/** What was chosen on this page, which the next result may not know yet. @type {Map<string, string>} */
const chosen = new Map();

/** @param {HTMLElement} comparison @param {string} name @param {string} value */
function tint(comparison, name, value) {
  comparison.querySelector('[data-tint]')?.setAttribute(name, value);
}

/** @param {HTMLElement} comparison @param {HTMLInputElement | HTMLSelectElement} field */
function show(comparison, field) {
  switch (field.name) {
    case 'overlayColor':
      tint(comparison, 'flood-color', find(field, ':checked', HTMLOptionElement)?.dataset.color ?? '');
      break;
    case 'overlayOpacity':
      tint(comparison, 'flood-opacity', String(Number(field.value) / 100));
      break;
    case 'blinkSpeed':
      comparison.dataset.blink = field.value;
      break;
  }
}

/** @param {HTMLElement} comparison */
export function startSettings(comparison) {
  const fields = [
    ...findAll(comparison, 'input[data-setting]', HTMLInputElement),
    ...findAll(comparison, 'select[data-setting]', HTMLSelectElement),
  ];
  for (const field of fields) {
    const value = chosen.get(field.name);
    if (value !== undefined) field.value = value;
    show(comparison, field);
  }
  comparison.addEventListener('input', ({ target }) => {
    const field =
      closest(target, 'input[data-setting]', HTMLInputElement) ??
      closest(target, 'select[data-setting]', HTMLSelectElement);
    if (field === null) return;
    chosen.set(field.name, field.value);
    show(comparison, field);
  });
}
