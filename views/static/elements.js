/** Elements by selector, each of the kind that the caller expects: one of another kind counts as absent. */

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
 * The target of an event, or what it is inside of.
 * @template {Element} E
 * @param {EventTarget | null} target @param {string} selector @param {new () => E} kind
 * @returns {E | null}
 */
export function closest(target, selector, kind) {
  const element = target instanceof Element ? target.closest(selector) : null;
  return element instanceof kind ? element : null;
}
