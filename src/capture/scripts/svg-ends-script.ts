/**
 * Puts what animations in an SVG leave when they have ended. The browser is told not to move images, and then no time passes
 * in an SVG of the document either, not even by `setCurrentTime`. Left alone is what never ends, waits for an event, or
 * adds to another value. It uses nothing from outside, because it is passed as source text.
 */
export function holdSvgEnds(svg: SVGSVGElement): void {
  /** Attributes whose names styles have for something else. */
  const NO_STYLES = ['offset', 'order', 'scale'];
  const MOST_BEFORE = 20;
  const world: typeof globalThis & { pixelgateHeld?: WeakMap<Element, string> } = globalThis;
  const held = (world.pixelgateHeld ??= new WeakMap());
  const read = (element: Element, name: string) => element.getAttribute(name)?.trim() ?? '';
  const isTime = (text: string) => !Number.isNaN(Number.parseFloat(text));
  const ends = (animation: Element) =>
    isTime(read(animation, 'dur')) &&
    ['repeatCount', 'repeatDur'].every((name) => read(animation, name) !== 'indefinite');
  /** At some time, or with or after another one that does. Several such are often a loop. */
  const begins = (animation: Element, most = MOST_BEFORE): boolean => {
    const begin = read(animation, 'begin');
    if (begin === '' || begin.split(';').every(isTime)) return true;
    const [id = '', event = ''] = begin.split('.', 2);
    const other = begin.includes(';') || id === '' ? null : svg.querySelector(`#${CSS.escape(id)}`);
    if (other === null || most === 0) return false;
    return (event.startsWith('begin') || (event.startsWith('end') && ends(other))) && begins(other, most - 1);
  };
  const lastValue = (animation: Element) => {
    const lasts = animation.localName === 'set' && read(animation, 'dur') === '';
    const stays = lasts || (read(animation, 'fill') === 'freeze' && ends(animation));
    if (!stays || read(animation, 'end') !== '' || read(animation, 'accumulate') === 'sum' || !begins(animation))
      return '';
    const values = read(animation, 'values').split(';');
    return values.findLast((value) => value.trim() !== '')?.trim() ?? read(animation, 'to');
  };
  const hold = (target: Element, name: string, value: string) => {
    const text = NO_STYLES.includes(name) ? undefined : [value, `${value}px`].find((each) => CSS.supports(name, each));
    const [first, ...rest] = name.split('-');
    const property = [first, ...rest.map((part) => part.charAt(0).toUpperCase() + part.slice(1))].join('');
    if (text === undefined) target.setAttribute(name, value);
    else target.animate({ [property]: [text, text] }, { fill: 'both' });
  };
  for (const animation of svg.querySelectorAll<SVGAnimationElement>('animate, animateTransform, set')) {
    const { targetElement: target } = animation;
    const [name, value] = [read(animation, 'attributeName'), lastValue(animation)];
    if (target === null || name === '' || value === '' || held.get(animation) === value) continue;
    held.set(animation, value);
    const adds = read(animation, 'additive') === 'sum';
    if (animation.localName === 'animateTransform') {
      const before = adds ? read(target, name) : '';
      target.setAttribute(name, `${before} ${read(animation, 'type') || 'translate'}(${value})`);
    } else if (!adds) hold(target, name, value);
  }
}
