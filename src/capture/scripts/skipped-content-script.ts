/**
 * Draws content that is only drawn near the viewport (`content-visibility: auto`), which would be empty in a screenshot
 * of the whole page. It uses an animation, because an attribute would change the page. It uses nothing from outside,
 * because it is passed as source text.
 */
export function drawSkippedContent(roots: (Document | ShadowRoot)[]): void {
  const frames = [{ contentVisibility: 'visible' }, { contentVisibility: 'visible' }];
  for (const element of roots.flatMap((root) => [...root.querySelectorAll('*')])) {
    if (getComputedStyle(element).contentVisibility === 'auto') element.animate(frames, { fill: 'both' });
  }
}
