/*
 * Shows an SVG as its animations leave it. Functions are passed as source text: each may use only what SVG_ENDS lists.
 */

function readTrimmed(element: Element, name: string): string {
  return element.getAttribute(name)?.trim() ?? '';
}

/**
 * Whether an animation ends and leaves its last value. Several others that it may begin with or after are often a loop.
 * Events don't happen.
 */
function leavesValue(svg: Element, animation: Element): boolean {
  const MOST_BEFORE = 20;
  const isTime = (text: string) => !Number.isNaN(Number.parseFloat(text));
  const ends = (element: Element) =>
    isTime(readTrimmed(element, 'dur')) &&
    ['repeatCount', 'repeatDur'].every((name) => readTrimmed(element, name) !== 'indefinite');
  const begins = (element: Element, most = MOST_BEFORE): boolean => {
    const all = (readTrimmed(element, 'begin') || '0').split(';').map((text) => text.trim());
    const known = all.filter((text) => isTime(text) || text.includes('.begin') || text.includes('.end'));
    if (known.length > 0 && known.every(isTime)) return true;
    const [id = '', event = ''] = known[0]?.split('.', 2) ?? [];
    const other = known.length > 1 || id === '' ? null : svg.querySelector(`#${CSS.escape(id)}`);
    if (other === null || most === 0) return false;
    return (event.startsWith('begin') || (event.startsWith('end') && ends(other))) && begins(other, most - 1);
  };
  const lasts = animation.localName === 'set' && readTrimmed(animation, 'dur') === '';
  const stays = lasts || (readTrimmed(animation, 'fill') === 'freeze' && ends(animation));
  const isPlain = readTrimmed(animation, 'end') === '' && readTrimmed(animation, 'accumulate') !== 'sum';
  return stays && isPlain && begins(animation);
}

/** The last value of an animation that begins with `start`, or ''. Units can't be added. */
function lastValue(animation: Element, start: string): string {
  const [from, to, by] = ['from', 'to', 'by'].map((name) => readTrimmed(animation, name));
  const values = readTrimmed(animation, 'values').split(';');
  const value = values.findLast((each) => each.trim() !== '')?.trim() ?? to ?? '';
  if (value !== '' || by === undefined || by === '') return value;
  const [starts = [], parts = []] = [from || start, by].map((text) => text.split(/[\s,]+/).map(Number));
  const sums = parts.map((part, at) => part + (starts[at] ?? 0));
  return sums.some(Number.isNaN) ? '' : sums.join(' ');
}

/** Where a motion along a path or to a point ends, as a transformation, or ''. */
function lastPlace(svg: Element, motion: Element): string {
  const link = motion.querySelector('mpath')?.getAttribute('href')?.slice(1) ?? '';
  const along =
    link === '' ? motion.getAttribute('path') : svg.querySelector(`#${CSS.escape(link)}`)?.getAttribute('d');
  if (along === null || along === undefined) {
    const value = lastValue(motion, '');
    return value === '' ? '' : `translate(${value})`;
  }
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', along);
  const length = path.getTotalLength();
  const [end, before] = [path.getPointAtLength(length), path.getPointAtLength(length - 0.1)];
  const rotate = readTrimmed(motion, 'rotate');
  const turned = rotate === 'auto-reverse' ? 180 : 0;
  const angle = rotate.startsWith('auto') ? (Math.atan2(end.y - before.y, end.x - before.x) * 180) / Math.PI : 0;
  return `translate(${end.x} ${end.y}) rotate(${(Number(rotate) || angle) + turned})`;
}

/**
 * Puts what animations in an SVG leave when they have ended. The browser is told not to move images, and then no time passes
 * in an SVG of the document either, not even by `setCurrentTime`. Left alone is what never ends, waits for an event, or
 * adds to another value. In a document that is not shown, only attributes are used.
 */
export function holdSvgEnds(svg: Element): void {
  /** Attributes whose names styles have for something else. */
  const NO_STYLES = ['offset', 'order', 'scale'];
  const world: typeof globalThis & { pixelgateHeld?: WeakMap<Element, string> } = globalThis;
  const held = (world.pixelgateHeld ??= new WeakMap());
  const hold = (target: Element, name: string, value: string) => {
    const text = NO_STYLES.includes(name) ? undefined : [value, `${value}px`].find((each) => CSS.supports(name, each));
    const [first, ...rest] = name.split('-');
    const property = [first, ...rest.map((part) => part.charAt(0).toUpperCase() + part.slice(1))].join('');
    if (text === undefined) target.setAttribute(name, value);
    else if (target.ownerDocument.defaultView !== null) target.animate({ [property]: [text, text] }, { fill: 'both' });
    else target.setAttribute('style', `${readTrimmed(target, 'style')}; ${name}: ${text} !important`);
  };
  for (const animation of svg.querySelectorAll<SVGAnimationElement>('animate, animateTransform, animateMotion, set')) {
    const { localName, targetElement: target } = animation;
    const name = readTrimmed(animation, 'attributeName');
    if (target === null || held.get(animation) === animation.outerHTML || !leavesValue(svg, animation)) continue;
    const adds = readTrimmed(animation, 'additive') === 'sum';
    const before = readTrimmed(target, name || 'transform');
    const value =
      localName === 'animateMotion'
        ? lastPlace(svg, animation)
        : lastValue(animation, localName === 'animate' ? before : '');
    if (value === '') continue;
    held.set(animation, animation.outerHTML);
    if (localName === 'animateMotion') target.setAttribute('transform', `${value} ${before}`);
    else if (localName === 'animateTransform') {
      const isKept = adds || !['values', 'to', 'from'].some((part) => animation.hasAttribute(part));
      const kind = readTrimmed(animation, 'type') || 'translate';
      target.setAttribute(name, `${isKept ? before : ''} ${kind}(${value})`);
    } else if (!adds && name !== '') hold(target, name, value);
  }
}

export const SVG_ENDS = [readTrimmed, leavesValue, lastValue, lastPlace, holdSvgEnds].join('\n');
