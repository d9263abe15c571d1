import type { PageRules } from '../browser/browser.ts';

/**
 * The style sheet of the rules. It also applies to shadow roots, frames and later elements. `:is()` keeps a list of
 * selectors together; a selector that the browser does not know matches nothing.
 */
export function ruleStyles({ hide, remove, css }: PageRules): string {
  return [
    ...hide.map((selector) => `:is(${selector}), :is(${selector}) * { visibility: hidden !important; }`),
    ...remove.map((selector) => `:is(${selector}) { display: none !important; }`),
    css,
  ].join('\n');
}
