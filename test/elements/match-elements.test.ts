import { describe, expect, it } from '@jest/globals';
import { body, match, numbered, pairs, said, type Element } from './matched-pages.ts';

/** Whether an element is the same one when it looks like this, alone in the same parent. */
const isSame = (before: Element, after: Element) =>
  pairs(body({ ...before, called: 'one' }), body({ ...after, called: 'other' })).join() === 'one = other';

describe('an element that has a stable name', () => {
  it.each([
    ['id', { id: 'search' }, { id: 'menu' }],
    ['test id', { attributes: { 'data-testid': 'search' } }, { attributes: { 'data-testid': 'menu' } }],
  ])('is found by its %s, wherever it went and whatever it looks like', (_, search, menu) => {
    const before = body(
      { tag: 'header', holds: [{ ...search, called: 'search', classes: ['wide'], text: 'Find' }] },
      { tag: 'nav', holds: [{ ...menu, called: 'menu', text: 'Pages' }, { text: 'Alpha' }] },
    );
    const after = body(
      { tag: 'nav', holds: [{ ...search, called: 'found', classes: ['small'], text: 'What is it?' }] },
      {
        tag: 'footer',
        holds: [
          { ...menu, called: 'list', text: 'Contents' },
          { called: 'new', text: 'Beta' },
        ],
      },
    );
    expect(match(before, after)).toEqual({ pairs: ['search = found', 'menu = list', '+ new'], displaced: [] });
  });

  it('is found by its id rather than by its test id', () => {
    const attributes = { 'data-testid': 'price' };
    const one: Element = { called: 'one', id: 'price', attributes };
    const apart = body({ called: 'by id', id: 'price' }, { tag: 'p', called: 'by test id', attributes });
    expect(pairs(body(one), apart)).toEqual(['one = by id', '+ by test id']);
    expect(pairs(apart, body(one))).toEqual(['by id = one']);
  });

  it('is not found by a name that others have, too', () => {
    const item = (text: string): Element => ({ called: text, tag: 'li', id: 'item', text });
    expect(pairs(body(item('One'), item('Two')), body(item('Two')))).toEqual(['Two = Two']);
    expect(pairs(body(item('Two')), body(item('One'), item('Two')))).toEqual(['+ One', 'Two = Two']);
  });
});

describe('elements of one parent', () => {
  it('are the same where their content is, in order, before anything is judged by likeness', () => {
    const after = ['New', 'A', 'B', 'C'];
    expect(pairs(body(...said('A', 'B', 'C')), body(...said(...after)))).toEqual(['+ New', 'A = A', 'B = B', 'C = C']);
    expect(pairs(body(...said('A', 'B', 'C')), body(...said('A', 'New', 'C')))).toEqual(['A = A', 'B = New', 'C = C']);
  });

  it('are the same where most of their words are', () => {
    const [fox, ships] = ['The quick brown fox', 'All ships in the harbor left today'];
    const [red, boats] = ['The quick red fox', 'All boats in the harbor left today'];
    expect(pairs(body(...said(fox, ships)), body(...said('Welcome', red, boats)))).toEqual([
      '+ Welcome',
      `${fox} = ${red}`,
      `${ships} = ${boats}`,
    ]);
    const card = (called: string, text: string): Element => ({ called, tag: 'li', holds: [{ tag: 'p', text }] });
    expect(pairs(body(card('a', fox)), body(card('b', ships), card('c', red)))).toEqual(['+ b', 'a = c']);
  });

  it('are judged by how much of their words is common, not by how many words are', () => {
    const long = 'Red fish and other fish that were seen in the harbor by people who came from far away';
    expect(pairs(body(...said('Red fish')), body(...said(long, 'Blue fish')))).toEqual([
      `+ ${long}`,
      'Red fish = Blue fish',
    ]);
  });

  it('are judged by their first 60 words', () => {
    const words = (from: string, count: number) => numbered(count, (at) => ({ text: `${from}${at}` }));
    const text = (...parts: Element[][]) =>
      parts
        .flat()
        .map((part) => part.text)
        .join(' ');
    const tail = words('tail', 90);
    const before = body({ called: 'one', tag: 'p', text: text(words('head', 60), tail) });
    const after = body(
      { called: 'same end', tag: 'p', text: text(words('head', 30), words('new', 30), tail) },
      { called: 'same start', tag: 'p', text: text(words('head', 59), words('end', 91)) },
    );
    expect(pairs(before, after)).toEqual(['+ same end', 'one = same start']);
  });

  it('are judged by their classes', () => {
    const before = body({ called: 'card', classes: ['card'], text: 'Alpha' });
    const after = body({ called: 'plain', text: 'Beta' }, { called: 'new card', classes: ['card'], text: 'Gamma' });
    expect(pairs(before, after)).toEqual(['+ plain', 'card = new card']);
  });

  it('are judged by the name that people hear, if their role is the same', () => {
    const field = (id: string, name: string): Element => ({ called: id, tag: 'input', id, role: 'textbox', name });
    expect(
      pairs(
        body(field('f1', 'Name'), field('f2', 'E-mail')),
        body(field('g1', 'Firm'), field('g2', 'Name'), field('g3', 'E-mail')),
      ),
    ).toEqual(['+ g1', 'f1 = g2', 'f2 = g3']);
    // One word in five is less than a name, and more than none.
    const before = (says: Element): Element =>
      body({ called: 'one', tag: 'a', text: 'Read all about it now', ...says });
    const after = (says: Element): Element =>
      body(
        { called: 'new', tag: 'a', text: 'Other', ...says },
        { called: 'other', tag: 'a', text: 'What we think of it', name: 'More' },
      );
    expect(pairs(before({ name: 'News', role: 'link' }), after({ name: 'News', role: 'link' }))[0]).toBe('one = new');
    expect(pairs(before({ name: 'News', role: 'link' }), after({ name: 'News', role: 'button' }))[0]).toBe('+ new');
    expect(pairs(before({ name: '', role: '' }), after({ name: '', role: '' }))[0]).toBe('+ new');
  });

  it('are not those that have a partner elsewhere already', () => {
    const list = (tag: string, ...holds: Element[]): Element => ({ tag, holds });
    const first: Element = { called: 'x', tag: 'li', id: 'x', text: 'One' };
    const second = (text: string): Element => ({ called: text, tag: 'li', text });
    const together = (text: string) => body(list('ol'), list('ul', first, second(text)));
    const apart = (text: string) => body(list('ol', first), list('ul', second(text)));
    expect(pairs(together('Two'), apart('Zwei'))).toEqual(['x = x', 'Two = Zwei']);
    expect(pairs(apart('Two'), together('Zwei'))).toEqual(['x = x', 'Two = Zwei']);
  });

  it('are those of the same parent, even if one of another parent is more alike', () => {
    const page = (main: string, aside: string) =>
      body({ tag: 'main', holds: said(main) }, { tag: 'aside', holds: said(aside) });
    const [words, more] = ['One two three four five', 'One two three four five six'];
    expect(pairs(page(words, 'Alpha'), page('Beta', more))).toEqual([`${words} = Beta`, `Alpha = ${more}`]);
  });

  it('are judged by tag and classes alone in long lists', () => {
    const row = (called: string, text: string): Element => ({ called, tag: 'li', classes: ['row'], text });
    // What a row says now is what the row before it said.
    const before = (rows: number) => body(...numbered(rows, (at) => row(`${at}`, `Row ${at}`)));
    const after = (rows: number, ...above: Element[]) =>
      body(...above, ...numbered(rows, (at) => row(`${at}`, `Row ${at + 1} now`)));
    expect(pairs(before(100), after(200))[0]).toBe('1 = 0');
    expect(pairs(before(100), after(201))[0]).toBe('0 = 0');
    const others: Element[] = [
      { ...row('tall', 'Row 0 now'), classes: ['row', 'tall'] },
      { ...row('plain', 'Row 0 now'), classes: [] },
      { ...row('block', 'Row 0 now'), tag: 'div' },
    ];
    expect(pairs(before(150), after(150, ...others)).slice(0, 4)).toEqual(['+ tall', '+ plain', '+ block', '0 = 0']);
  });
});

describe('an element alone in its place', () => {
  it('is the same with other words, or with a class more or less', () => {
    expect(isSame({ text: 'Alpha' }, { text: 'Beta' })).toBe(true);
    expect(isSame({ classes: ['card'], text: 'Alpha' }, { classes: ['card'], text: 'Beta' })).toBe(true);
    expect(isSame({ text: 'Alpha' }, { classes: ['card'], text: 'Beta' })).toBe(true);
    expect(isSame({ classes: ['card'], text: 'Alpha' }, { text: 'Beta' })).toBe(true);
  });

  it('is another one with another tag, unless it has a name or a class in common', () => {
    expect(isSame({ tag: 'div', text: 'Buy' }, { tag: 'p', text: 'Buy' })).toBe(false);
    expect(isSame({ tag: 'a', classes: ['cta', 'big'] }, { tag: 'button', classes: ['cta'] })).toBe(true);
    expect(isSame({ tag: 'div', id: 'promo' }, { tag: 'section', id: 'promo' })).toBe(true);
    expect(isSame({ tag: 'div', id: 'promo' }, { tag: 'section', id: 'news' })).toBe(false);
    const called = (id: string): Element => ({ attributes: { 'data-testid': id } });
    expect(isSame({ tag: 'div', ...called('promo') }, { tag: 'section', ...called('news') })).toBe(false);
  });

  it('is another one with other classes, unless three words in ten or its name are the same', () => {
    const text = (...words: string[]) => words.join(' ');
    const [a, b, c] = ['alpha', 'beta', 'gamma'];
    const rest = numbered(8, (at) => ({ text: `word${at}` })).map((word) => word.text ?? '');
    const others = rest.map((word) => `other-${word}`);
    const one = { classes: ['promo'], text: text(a, b, c, ...rest.slice(1)) };
    expect(isSame(one, { classes: ['note'], text: text(a, b, c, ...others.slice(1)) })).toBe(true);
    expect(isSame(one, { classes: ['note'], text: text(a, b, ...others) })).toBe(false);
    expect(isSame({ ...one, id: 'promo' }, { classes: ['note'], id: 'promo' })).toBe(true);
  });

  it('is known by a test id that its neighbors have, too', () => {
    const card = (called: string, says: Element): Element => ({
      attributes: { 'data-testid': 'card' },
      called,
      ...says,
    });
    const before = body(card('a', { tag: 'div', text: 'Alpha' }), card('b', { tag: 'div', text: 'Beta' }));
    const after = body(card('c', { tag: 'li', text: 'One' }), card('d', { tag: 'li', text: 'Two' }));
    expect(pairs(before, after)).toEqual(['a = c', 'b = d']);
    const styled = (called: string, name: string) => card(called, { classes: [name], text: called });
    expect(pairs(body(styled('a', 'x'), styled('b', 'x')), body(styled('c', 'y'), styled('d', 'y')))).toEqual([
      'a = c',
      'b = d',
    ]);
  });
});

describe('the root of a page', () => {
  it('is the other root, even if something in it is more like that', () => {
    const [one, other]: [Element, Element] = [
      { called: 'one', tag: 'div', holds: said('Alpha beta gamma', 'One two three four five six') },
      { called: 'other', tag: 'div', holds: [{ tag: 'div', text: 'Alpha beta gamma delta' }] },
    ];
    expect(pairs({ ...one, holds: [{ tag: 'div', holds: one.holds ?? [] }] }, other)[0]).toBe('one = other');
    expect(pairs(other, { ...one, holds: [{ tag: 'div', holds: one.holds ?? [] }] })[0]).toBe('other = one');
  });
});

describe('an element that went to another parent', () => {
  const page = (main: Element[], aside: Element[]) =>
    body({ tag: 'main', holds: main }, { tag: 'aside', holds: aside });
  const moved = (element: Element) => match(page([element], []), page([], [element]));

  it('is found there by what it says or shows, and told to be in another place', () => {
    const found = { pairs: ['it = it'], displaced: ['it'] };
    expect(moved({ called: 'it', tag: 'p', text: 'Words' })).toEqual(found);
    expect(moved({ called: 'it', tag: 'button', name: 'Close' })).toEqual(found);
    expect(moved({ called: 'it', tag: 'img', attributes: { src: '/map.png' } })).toEqual(found);
  });

  it('is not found when it says nothing, or is not alone in saying it', () => {
    expect(moved({ called: 'it', tag: 'hr' })).toEqual({ pairs: ['+ it'], displaced: [] });
    const [one] = said('Words');
    if (one === undefined) throw new Error('no element');
    expect(match(page([one, one], []), page([], [one]))).toEqual({ pairs: ['+ Words'], displaced: [] });
    expect(match(page([one], []), page([], [{ ...one, tag: 'h2' }]))).toEqual({ pairs: ['+ Words'], displaced: [] });
  });

  it('takes with it what is in it, which is in its place there', () => {
    const holds: Element[] = [...said('Words'), { called: 'line', tag: 'hr' }];
    expect(moved({ called: 'it', tag: 'article', name: 'News', holds })).toEqual({
      pairs: ['it = it', 'Words = Words', 'line = line'],
      displaced: ['it'],
    });
  });

  it('is found by what is in it if it says nothing itself', () => {
    const holds: Element[] = [...said('Words'), { called: 'map', tag: 'img', attributes: { src: '/map.png' } }];
    expect(moved({ called: 'card', tag: 'div', holds })).toEqual({
      pairs: ['card = card', 'Words = Words', 'map = map'],
      displaced: ['card'],
    });
  });

  it('is found beside others that say the same and stayed', () => {
    const [news, kept]: [Element, Element] = [
      { called: 'news', tag: 'p', text: 'News' },
      { called: 'kept', tag: 'p', text: 'News' },
    ];
    const pageWith = (nav: Element[], footer: Element[]) =>
      body({ tag: 'main', holds: [kept] }, { tag: 'nav', holds: nav }, { tag: 'footer', holds: footer });
    expect(match(pageWith([news], []), pageWith([], [news]))).toEqual({
      pairs: ['kept = kept', 'news = news'],
      displaced: ['news'],
    });
  });
});
