import { describe, expect, it } from '@jest/globals';
import { PageRule } from '../../../src/suites/config/page-rule.ts';
import { describeRule, readRule, toTexts } from '../../../src/web/rules/rule-text.ts';

const FULL: PageRule = {
  paths: ['/blog/**', '!/blog/drafts/**'],
  viewports: ['mobile', 'wide.v2'],
  hide: ['.ad', 'a[title="x, y"]'],
  remove: ['#banner'],
  mask: ['video'],
  ignore: ['#clock'],
  ignoreBoxes: [{ x: 0, y: 120, width: 300, height: 250 }],
  waitFor: ['.loaded'],
  actions: [
    { type: 'click', selector: '.menu > button' },
    { type: 'hover', selector: 'nav' },
    { type: 'scrollTo', selector: 'footer' },
    { type: 'type', selector: 'input[name="q"]', text: 'a "quoted" word\nand into a line' },
    { type: 'press', key: 'Enter', selector: '#search' },
    { type: 'press', key: 'Control+A' },
    { type: 'press', key: ' ' },
    { type: 'press', key: '"' },
    { type: 'wait', ms: 500 },
  ],
  css: '.a {\n  top: 0\n}',
  waitTime: 0,
  threshold: 0.1,
  failureThreshold: 2.5,
  skip: false,
};

describe('a rule as texts', () => {
  it('comes back as it was, with every field', () => {
    expect(PageRule.parse(FULL)).toEqual(FULL);
    expect(readRule(toTexts(FULL))).toEqual(FULL);
  });

  it('has nothing but its paths when nothing else is given', () => {
    expect(readRule(toTexts({ paths: ['**'] }))).toEqual({ paths: ['**'] });
  });

  it('can say that no action is left', () => {
    expect(toTexts({ paths: ['**'], actions: [] })['actions']).toBe('none');
    expect(readRule({ paths: '**', actions: ' none ' })).toEqual({ paths: ['**'], actions: [] });
  });

  it('is read with the line ends of a browser, with blank lines, and with boxes written in other ways', () => {
    expect(readRule({ paths: ' /a \r\n\r\n/b\r\n', ignoreBoxes: '1, 2, 30×40\n5;6;7;8' })).toEqual({
      paths: ['/a', '/b'],
      ignoreBoxes: [
        { x: 1, y: 2, width: 30, height: 40 },
        { x: 5, y: 6, width: 7, height: 8 },
      ],
    });
  });

  it('keeps lines that it cannot read, for the validation to refuse', () => {
    const rule = readRule({ paths: '/', ignoreBoxes: '1 2 3\n1 2 3 4 5', actions: 'dance\nwait long\ntype x into y' });
    expect(rule).toEqual({
      paths: ['/'],
      ignoreBoxes: ['1 2 3', '1 2 3 4 5'],
      actions: ['dance', 'wait long', 'type x into y'],
    });
    expect(PageRule.safeParse(rule).error?.issues.map(({ path }) => path.join('.'))).toEqual([
      'ignoreBoxes.0',
      'ignoreBoxes.1',
      'actions.0',
      'actions.1',
      'actions.2',
    ]);
  });
});

describe('a rule in words', () => {
  it('says where it holds and what it does', () => {
    expect(describeRule(toTexts({ paths: ['/blog/**'], hide: ['.ad'], ignore: ['#clock'] }))).toBe(
      'On /blog/**: hides .ad, ignores #clock',
    );
    expect(describeRule(toTexts(FULL))).toBe(
      'On /blog/**, !/blog/drafts/** at mobile, wide.v2: includes the pages, hides .ad, a[title="x, y"], ' +
        'removes #banner, covers video, ignores #clock, ignores 1 box, waits for .loaded, does 9 actions, ' +
        'waits 0 ms, adds CSS, color threshold 0.1, failure threshold 2.5%',
    );
  });

  it('names three items, and counts the rest', () => {
    expect(describeRule({ paths: '/', hide: 'a\nb\nc\nd\ne' })).toBe('On /: hides a, b, c and 2 more');
  });

  it('says that a new one does nothing yet', () => {
    expect(describeRule({})).toBe('New rule: nothing yet');
    expect(describeRule({ paths: '/', skip: 'yes' })).toBe('On /: excludes the pages');
  });
});
