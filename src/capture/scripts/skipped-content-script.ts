/**
 * Draws what is only drawn near the window, and would be empty in a screenshot of the whole page: content that is skipped
 * (`content-visibility: auto`), and backgrounds that are fixed to the window, which become part of their elements. It uses
 * animations, because an attribute would change the page. It uses nothing from outside, because it is passed as source
 * text.
 * @param below what is below the window is captured
 */
export function drawSkippedContent(roots: (Document | ShadowRoot)[], below: boolean): void {
  const hold = (element: Element, property: string, value: string) =>
    element.animate({ [property]: [value, value] }, { fill: 'both' });
  for (const element of roots.flatMap((root) => [...root.querySelectorAll('*')])) {
    const { contentVisibility, backgroundAttachment } = getComputedStyle(element);
    if (contentVisibility === 'auto') hold(element, 'contentVisibility', 'visible');
    if (!below || !backgroundAttachment.includes('fixed')) continue;
    if (element.getBoundingClientRect().bottom > innerHeight) hold(element, 'backgroundAttachment', 'scroll');
  }
}
