/*
 * Parts that a page shows by a class while they are in the window. Functions are passed as source text: each may only
 * use what PARTS in `page-script.ts` lists.
 */

/** The class with which a part was first shown, and how often it was given back since the page was scrolled through. */
type Shown = { classes: string; times: number };

/**
 * Notes parts that change their class in the window, or near it, from where they may move in, while the page is
 * scrolled through. @returns ends that
 */
export function noteShown(): () => void {
  const world: typeof globalThis & { pixelgateShown?: Map<HTMLElement, Shown> } = globalThis;
  const shown = (world.pixelgateShown ??= new Map());
  for (const part of shown.values()) part.times = 0;
  const observer = new MutationObserver((records) => {
    for (const { target, oldValue } of records) {
      if (!(target instanceof HTMLElement) || shown.has(target) || target.className === (oldValue ?? '')) continue;
      const { top, bottom } = target.getBoundingClientRect();
      if (bottom > -innerHeight && top < 2 * innerHeight) shown.set(target, { classes: target.className, times: 0 });
    }
  });
  observer.observe(document, { subtree: true, attributeFilter: ['class'], attributeOldValue: true });
  return () => observer.disconnect();
}

/** Whether another part is shown in the place of this one, as the slides of a carousel are. */
export function hasTakenTurns(part: HTMLElement): boolean {
  return [...(part.parentElement?.children ?? [])].some(
    (other) =>
      other instanceof HTMLElement &&
      other !== part &&
      other.offsetTop === part.offsetTop &&
      other.offsetLeft === part.offsetLeft &&
      other.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
  );
}

/**
 * Many pages hide a part again once it is out of the window. Below the window, it gets back the class with which it was
 * shown, unless the page insists. @returns whether there was one
 */
export function showAgain(): boolean {
  const PATIENT_TIMES = 3;
  const world: typeof globalThis & { pixelgateShown?: Map<HTMLElement, Shown> } = globalThis;
  let any = false;
  document.dispatchEvent(new Event('pixelgate-views'));
  for (const [part, shown] of world.pixelgateShown ?? []) {
    if (part.className === shown.classes || shown.times === PATIENT_TIMES) continue;
    const { position, backfaceVisibility, transform } = getComputedStyle(part);
    const { bottom, left, right } = part.getBoundingClientRect();
    if (position === 'fixed' || bottom <= innerHeight) continue;
    const isBeside = transform !== 'none' && (left >= document.documentElement.clientWidth || right <= 0);
    const isSeen = !isBeside && part.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if ((isSeen && backfaceVisibility !== 'hidden') || hasTakenTurns(part)) continue;
    part.className = shown.classes;
    shown.times += 1;
    any = true;
  }
  return any;
}
