import { hasTakenTurns } from './shown-script.ts';

/*
 * Parts that a page shows while an observer says that they are in the window: by a style, an animation, or by rendering
 * them. Runs in the page's own world. Functions are passed as source text: each may only use what PARTS in
 * `rest-script.ts` lists.
 */

/** What an observer last told of a part in the window, and how many elements could be seen when the part left it. */
type View = { entry: IntersectionObserverEntry; seen: number | null; tell: (entries: unknown[]) => unknown };

/** How many elements of a part can be seen, of the first 2,000. */
export function countSeen(part: Element): number {
  const LIMIT = 2000;
  const seen = [part, ...part.querySelectorAll('*')]
    .slice(0, LIMIT)
    .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
  return seen.length;
}

/** Ends the animations of a part, as they would have been ended had it stayed in the window. */
export function endWithin(part: Element): void {
  for (const animation of part.getAnimations({ subtree: true })) {
    const end = animation.effect?.getComputedTiming().endTime;
    if (!(animation.timeline instanceof DocumentTimeline) || animation.playbackRate === 0) continue;
    if (typeof end === 'number' && Number.isFinite(end)) animation.finish();
  }
}

/**
 * Many pages hide a part again once it is out of the window. If less of a part below the window can be seen than when it
 * left, its observer is told once more what it was told when the part came into view. `showAgain` asks for that.
 * @returns takes what an observer is told, before that is passed on by `tell`
 */
export function followViews(): (observer: unknown, entries: unknown, tell: View['tell']) => void {
  const views = new Map<IntersectionObserver, Map<Element, View>>();
  const isBelow = ([part, { seen }]: [Element, View]) =>
    seen !== null &&
    part instanceof HTMLElement &&
    part.getBoundingClientRect().bottom > innerHeight &&
    getComputedStyle(part).position !== 'fixed' &&
    countSeen(part) < seen &&
    !hasTakenTurns(part);
  document.addEventListener('pixelgate-views', () => {
    for (const [, view] of [...views.values()].flatMap((parts) => [...parts].filter(isBelow))) {
      view.seen = null;
      view.tell([view.entry]);
    }
  });
  return (observer, entries, tell) => {
    if (!(observer instanceof IntersectionObserver) || observer.root instanceof Element) return;
    const parts = views.get(observer) ?? new Map<Element, View>();
    views.set(observer, parts);
    for (const entry of Array.isArray(entries) ? entries : []) {
      if (!(entry instanceof IntersectionObserverEntry)) continue;
      const view = parts.get(entry.target);
      if (entry.isIntersecting) parts.set(entry.target, { entry, seen: null, tell });
      else if (view?.seen === null) {
        endWithin(entry.target);
        view.seen = countSeen(entry.target);
      }
    }
  };
}
