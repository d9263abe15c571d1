import { describe, expect, it } from '@jest/globals';
import { findHeardDifferences } from '../../../src/elements/heard/find-heard-differences.ts';
import { decodeHeard, encodeHeard, type HeardNode } from '../../../src/elements/heard/heard-tree.ts';

type Part = Partial<Omit<HeardNode, 'children'>>;

const part = (role: string, name: string, children: HeardNode[] = [], more: Part = {}): HeardNode => ({
  role,
  name,
  states: {},
  children,
  isLeftOut: false,
  ...more,
});

const page = (...children: HeardNode[]) => part('RootWebArea', 'Shop', children);

const button = (name: string, states: Record<string, string> = {}) => part('button', name, [], { states });
const item = (text: string) => part('listitem', '', [part('text', text)]);

/** Each difference as a sentence. */
const heard = (before: HeardNode | HeardNode[], after: HeardNode | HeardNode[]) =>
  findHeardDifferences({ loads: [before].flat() }, { loads: [after].flat() }).map(
    (difference) => `${difference.part} ${difference.what}`,
  );

describe('what assistive technology hears otherwise', () => {
  it.each([
    ['a name that is lost', button('Search'), button(''), 'button “Search” lost its name'],
    ['a name that is new', button(''), button('Search'), 'button now has the name “Search”'],
    ['another name', button('Search'), button('Find'), 'button “Search” is now named “Find”'],
    ['another text', part('text', 'Two left'), part('text', 'One left'), 'text “Two left” now says “One left”'],
    ['another role', button('Go'), part('link', 'Go'), 'button “Go” is now a link'],
    ['a state', button('Go'), button('Go', { disabled: 'true' }), 'button “Go” is now disabled'],
    ['a state that ends', button('Go', { disabled: 'true' }), button('Go'), 'button “Go” is no longer disabled'],
    [
      'a state of two',
      button('Go', { expanded: 'true' }),
      button('Go', { expanded: 'false' }),
      'button “Go” is now collapsed',
    ],
    [
      'a value',
      part('heading', 'Us', [], { states: { level: '2' } }),
      part('heading', 'Us', [], { states: { level: '4' } }),
      'heading “Us” has the level “4”, before “2”',
    ],
    ['a description', button('Go', { description: 'Now' }), button('Go'), 'button “Go” lost its description “Now”'],
  ])('is %s', (_what, before, after, sentence) => {
    expect(heard(page(button('First'), before), page(button('First'), after))).toEqual([sentence]);
  });

  it('is nothing where nothing changed', () => {
    expect(heard(page(button('Go'), item('One')), page(button('Go'), item('One')))).toEqual([]);
  });

  it('is one difference for what was inserted or removed, with all that is in it', () => {
    const list = (...texts: string[]) => page(part('list', '', texts.map(item)), button('Go'));
    expect(heard(list('One', 'Two', 'Three'), list('One', 'New', 'Two', 'Three'))).toEqual(['list item was added']);
    expect(heard(list('One', 'Two', 'Three'), list('Two', 'Three'))).toEqual(['list item was removed']);
  });

  it('is one difference for what was moved, and for a part around what was there', () => {
    const [nav, main] = [part('navigation', 'Main', [button('A'), button('B')]), part('main', '', [item('One')])];
    expect(heard(page(nav, main, button('End')), page(main, button('End'), nav))).toEqual([
      'navigation “Main” was moved',
    ]);
    const [one, two] = [button('One'), button('Two')];
    const around = part('region', 'Tools', [one, two]);
    expect(heard(page(one, two), page(around))).toEqual(['region “Tools” was put around what was there']);
    expect(heard(page(around), page(one, two))).toEqual(['region “Tools” was taken away from around its content']);
  });

  it('is exact: a part of a longer tree is no match', () => {
    expect(heard(page(button('Go')), page(button('Go'), button('Stay')))).toEqual(['button “Stay” was added']);
  });

  it('is told once for a page that has it several times, and has the same key on another page', () => {
    const [before, after] = [page(button('Go'), item('x'), button('Go')), page(button(''), item('x'), button(''))];
    expect(heard(before, after)).toEqual(['button “Go” lost its name']);
    const [one] = findHeardDifferences({ loads: [before] }, { loads: [after] });
    const [other] = findHeardDifferences({ loads: [page(button('Go'))] }, { loads: [page(button(''))] });
    expect(one?.key).toBe(other?.key);
  });

  it('leaves out what a rule masks or ignores in one of both', () => {
    const left = (...children: HeardNode[]) => part('region', '', children, { isLeftOut: true });
    expect(heard(page(left(button('A'))), page(left(button('B'))))).toEqual([]);
    expect(heard(page(part('region', '', [button('A')])), page(left()))).toEqual([]);
    expect(heard(page(), page(left()))).toEqual([]);
  });

  it('leaves out what differs from load to load, and keeps what all loads show', () => {
    const at = (time: string, name: string) => page(part('timer', '', [part('text', time)]), button(name));
    expect(heard(at('9:00', 'Go'), [at('9:01', ''), at('9:02', '')])).toEqual(['button “Go” lost its name']);
    expect(heard([at('9:00', 'Go'), at('9:01', 'Go')], at('9:02', 'Go'))).toEqual([]);
  });

  it('is what was added or removed although something in it differs from load to load', () => {
    const at = (time: string) => page(button('Go'), part('region', 'Offer', [part('text', time), button('Buy')]));
    expect(heard(page(button('Go')), [at('9:01'), at('9:02')])).toEqual(['region “Offer” was added']);
    expect(heard([at('9:01'), at('9:02')], page(button('Go')))).toEqual(['region “Offer” was removed']);
  });
});

describe('an encoded tree', () => {
  it('is read as it was written, however deep, and equal trees have equal bytes', async () => {
    let deep = item('Deep');
    for (let level = 0; level < 150; level += 1) deep = part('group', '', [deep]);
    const loads = [page(button('Go', { level: '1' }), deep, part('region', '', [], { isLeftOut: true })), page()];
    const bytes = await encodeHeard({ loads });
    expect(await decodeHeard(bytes)).toEqual({ loads });
    expect(bytes.equals(await encodeHeard({ loads: structuredClone(loads) }))).toBe(true);
  });

  it('is refused if it is damaged', async () => {
    await expect(decodeHeard(Buffer.from('{}'))).rejects.toThrow('The accessibility tree cannot be read');
  });
});
