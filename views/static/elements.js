/** Finds elements by selector and type. An element of another type than the caller expects counts as absent. */

/**
 * @template {Element} E
 * @param {ParentNode} within @param {string} selector @param {new () => E} kind
 * @returns {E | null}
 */
export function find(within, selector, kind) {
  const element = within.querySelector(selector);
  return element instanceof kind ? element : null;
}

/**
 * @template {Element} E
 * @param {ParentNode} within @param {string} selector @param {new () => E} kind
 * @returns {E[]}
 */
export function findAll(within, selector, kind) {
  return [...within.querySelectorAll(selector)].flatMap((element) => (element instanceof kind ? [element] : []));
}

/**
 * For images that are shown no more. Chromium 150 keeps each one that had `sizes`, with all that it stands in and what it
 * has loaded: so it gets the bare element only.
 * @param {HTMLImageElement[]} images
 */
export function release(images) {
  for (const image of images) {
    image.removeAttribute('src');
    image.removeAttribute('srcset');
    image.remove();
  }
}

/**
 * The target of an event, or the nearest ancestor that matches.
 * @template {Element} E
 * @param {EventTarget | null} target @param {string} selector @param {new () => E} kind
 * @returns {E | null}
 */
export function closest(target, selector, kind) {
  const element = target instanceof Element ? target.closest(selector) : null;
  return element instanceof kind ? element : null;
}

const TYPING = 'input:not([type=checkbox], [type=radio], [type=range], [type=button], [type=submit]), textarea, select';

/** Whether keys are typed into it. @param {EventTarget | null} target */
export const isTypedInto = (target) =>
  target instanceof Element && (target.matches(TYPING) || (target instanceof HTMLElement && target.isContentEditable));
