/**
 * Draws what is drawn only near the viewport (`content-visibility: auto`): a screenshot of the whole page would show it
 * empty. By an animation, since an attribute would be a change to the page. It uses nothing from outside, because it is
 * passed as source text.
 */
export function drawSkippedContent(roots: (Document | ShadowRoot)[]): void {
  const frames = [{ contentVisibility: 'visible' }, { contentVisibility: 'visible' }];
  for (const element of roots.flatMap((root) => [...root.querySelectorAll('*')])) {
    if (getComputedStyle(element).contentVisibility === 'auto') element.animate(frames, { fill: 'both' });
  }
}
