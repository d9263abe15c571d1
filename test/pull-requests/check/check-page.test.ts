import { describe, expect, it } from '@jest/globals';
import type { CheckSituation } from '../../../src/pull-requests/check/check.ts';
import { decideCheck } from '../../../src/pull-requests/check/desired-check.ts';
import { findAll, readText, renderTree } from '../../support/github-markdown.js';
import { group, links, result, results, situation, STATES } from './check-situation.js';

const page = (of: CheckSituation, notice: string | null = null, its = links) =>
  renderTree(decideCheck(of, notice, its).summary);
const addresses = (tree: ReturnType<typeof page>) =>
  findAll(tree, 'a').map(({ properties }) => String(properties?.['href']));
const images = (tree: ReturnType<typeof page>) =>
  findAll(tree, 'img').map(({ properties }) => String(properties?.['src']));
const isOurs = (address: string) => address.startsWith('https://gate.example.com/');

describe.each(STATES)('the check "%s" as GitHub shows it', (name, of) => {
  const tree = page(of);
  const text = readText(tree);

  it('says in 60 characters what matters, and then what to do', () => {
    expect(decideCheck(of, null, links).title.length).toBeLessThanOrEqual(60);
    expect(text.match(/What to do:|Nothing to do\./g)).toHaveLength(1);
  });

  it('has no Markdown or HTML left that was not understood', () => {
    expect(text).not.toMatch(/\*\*|\]\(|\| ---|<\/?\w|&#\d|^#+ /m);
    const folded = findAll(tree, 'details');
    for (const each of folded) {
      expect(findAll(each, 'summary')).toHaveLength(1);
      expect(findAll(each, 'table')).toHaveLength(1);
    }
    const outside = findAll(tree, 'tr').length - folded.flatMap((each) => findAll(each, 'tr')).length;
    expect(outside).toBe(2 * of.changes.groups.length);
  });

  it('leads to the service and to deployments, and shows pictures of the service only', () => {
    const foreign = addresses(tree).filter((address) => !isOurs(address));
    expect(foreign.filter((address) => !/^https:\/\/(docs|shop)\.preview\.example\/$/.test(address))).toEqual([]);
    expect(images(tree).every(isOurs)).toBe(true);
    expect(images(tree)).toHaveLength(of.changes.groups.length * 2 - (of.changes.groups.length > 0 ? 1 : 0));
    expect([name, findAll(tree, 'a').filter((each) => each.properties?.['className'] !== undefined)]).toEqual([
      name,
      [],
    ]);
  });
});

describe('a check as GitHub shows it', () => {
  const reviewed = STATES.find(([name]) => name === 'review-required')?.[1] ?? situation([]);

  it('has changes with what they looked like first, then what to do, then results by cause, folded', () => {
    const tree = page(reviewed);
    const kinds = (tree.children ?? []).flatMap((each) => {
      if (readText(each).includes('What to do:')) return ['advice'];
      return ['h3', 'table', 'details'].includes(each.tagName ?? '') ? [each.tagName] : [];
    });
    expect(kinds).toEqual(['h3', 'table', 'table', 'table', 'advice', 'details', 'details', 'details']);
    expect(findAll(tree, 'summary').map(readText)).toEqual([
      '3 screenshots changed',
      '2 new screenshots: no baseline yet',
      '3 screenshots drifted: the site itself looks like this now',
    ]);
    const [first] = findAll(tree, 'table');
    expect(first && [findAll(first, 'th').map(readText), images(first).map((each) => new URL(each).pathname)]).toEqual([
      ['Before', 'After'],
      ['/files/before.png', '/files/after.png'],
    ]);
  });

  it('says why what the site shows as well counts, and how to settle it', () => {
    const of = STATES.find(([name]) => name === 'one-server')?.[1] ?? situation([]);
    const text = readText(page(of));
    const screenshots = of.results.filter(({ servers }) => servers === 'MAYBE_ONE').length;
    expect(text).toContain(`The site itself looks like the preview in ${screenshots} screenshots, but nothing shows`);
    expect(text).toContain('press These are different servers on the page of the run');
    const approved = situation(
      of.results.map((each) => ({ ...each, approved: true })),
      { reviewState: 'APPROVED' },
    );
    expect(readText(page(approved))).not.toContain('The site itself looks');
  });

  it('shows no picture where GitHub cannot fetch it, and no empty table instead', () => {
    const tree = page(reviewed, null, { ...links, cropUrl: () => null });
    expect([images(tree), (tree.children ?? []).some((each) => each.tagName === 'table')]).toEqual([[], false]);
    expect(readText(tree)).toContain('background #1a7f37 → #0969da');
  });

  it.each([
    '@octocat <img src=x> ![x](https://evil.example/x.png) [y](https://evil.example) https://evil.example #1',
    '`@octocat` ``a`` ``` <a href="https://evil.example">z</a>',
    String.raw`a\|b|@octocat|\\|![x](https://evil.example/x.png)|<img src="https://evil.example/y.png">`,
    '</details><details open><summary>@octocat</summary>\r\n\r\n# big\n\n@octocat ![x](https://evil.example/x.png)',
    '```\n@octocat\n~~~\n![x](https://evil.example/x.png)\n````',
    '<!-- @octocat <script>x</script> **bold** _x_ ~~x~~ :tada: &lt; &#64;octocat',
    ' ',
    '\u202egnp.egap\u2066@octocat',
  ])('lets no text of a site or a repository become Markdown, HTML or a mention: %j', (text) => {
    const said = { ...group({ element: text, summary: text, paths: [text, `${text}2`], viewports: [text] }), count: 2 };
    const signal = { source: 'DEPLOYMENT' as const, name: text, project: '', link: 'https://docs.preview.example/' };
    const search = { matcher: null, fallback: null, used: null, candidates: [], failed: signal };
    const metadata = { reason: 'preview_failed' as const, error: text };
    const git = { headSha: 'abc1234', enqueued: false, previewUrl: text, baseBranch: text };
    const of = situation(
      [result({ status: 'FAIL', path: text, viewport: text }), result({ status: 'ERROR', path: text })],
      { status: 'FAILED', metadata, git },
      { changes: { groups: [said], total: 1, undecided: 1 }, search },
    );
    for (const isGated of [true, false]) {
      const tree = page({ ...of, run: { ...of.run, isGated } }, text);
      expect(readText(tree)).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
      expect(addresses(tree).filter((each) => !isOurs(each))).toEqual([signal.link]);
      expect(images(tree).filter((each) => !isOurs(each))).toEqual([]);
      expect([findAll(tree, 'details').length, findAll(tree, 'table').length]).toEqual([2, 3]);
      expect(['h1', 'script', 'del', 'em'].flatMap((name) => findAll(tree, name))).toEqual([]);
      for (const row of findAll(tree, 'tr'))
        expect([2, 4]).toContain((row.children ?? []).filter((each) => each.type === 'element').length);
    }
  });

  it('names pages by the characters of their paths', () => {
    const path = '/%E6%9D%B1%E4%BA%AC';
    const groups = [group({ paths: [path] })];
    const of = situation(
      [result({ status: 'FAIL', path })],
      { reviewState: 'PENDING' },
      { changes: { groups, total: 1, undecided: 1 } },
    );
    const text = readText(renderTree(decideCheck(of, null, links).summary));
    expect(text).toContain('/東京');
    expect(text).not.toContain(path);
  });

  it('ends after a whole change when GitHub would take no more, and says how many are left and where', () => {
    const long = '語'.repeat(200);
    const groups = Array.from({ length: 50 }, (_, place) =>
      group({ key: String(place).padStart(32, '0'), element: long, summary: long, paths: [long, long, long, long] }),
    );
    const of = situation(
      results(80, { status: 'FAIL', diffScore: 3, path: `/${long}` }),
      { reviewState: 'PENDING', metadata: { error: '語'.repeat(5_000) } },
      { changes: { groups, total: 300, undecided: 300 } },
    );
    const { summary } = decideCheck(of, '語'.repeat(5_000), links);
    expect(Buffer.byteLength(summary)).toBeLessThan(65_535);
    const tree = renderTree(summary);
    const shown = (tree.children ?? []).filter((each) => each.tagName === 'table').length;
    expect(shown).toBeGreaterThan(5);
    expect(images(tree)).toHaveLength(2 * shown);
    expect(readText(tree)).toContain(`…and ${300 - shown} more changes: see all`);
    expect(readText(tree)).toContain('What to do:');
    expect(readText(tree)).toMatch(/…and \d+ more: see all/);
  });

  it('has a title of at most 60 characters, whatever names there are', () => {
    const long = 'x'.repeat(300);
    const many = (count: number, said: Parameters<typeof result>[0]) => results(count, { status: 'FAIL', ...said });
    const uncounted = [...many(1234, { cause: 'DRIFT' }), ...many(2345, { cause: 'BEHIND' })];
    const approved = [long, `${long}2`, `${long}3`]
      .map((approverName) => many(4, { approved: true, approverName }))
      .flat();
    const signal = { source: 'DEPLOYMENT' as const, name: long, project: '', link: null };
    const search = { matcher: null, fallback: null, used: null, candidates: [], failed: signal };
    const title = (of: CheckSituation) => decideCheck(of, null, links).title;
    const titles = [
      title(situation([...approved, ...many(4321, {}), ...uncounted], { reviewState: 'PENDING' })),
      title(situation([...uncounted, ...many(2222, { cause: 'ENGINE' }), ...results(99, { isNew: true })])),
      title(situation(approved, { reviewState: 'APPROVED' })),
      title(situation(approved.slice(0, 4), { reviewState: 'APPROVED' })),
      title(situation(results(1), { isGated: false, git: { baseBranch: long } })),
      title(situation([], { isGated: false, status: 'PENDING', git: { baseBranch: long, headSha: 'abc1234' } })),
      title(situation([], { status: 'FAILED', metadata: { reason: 'preview_failed' } }, { search })),
    ];
    expect(titles).toEqual([
      '4,333 changed (12 approved), 0 new: review required',
      'No changes from this PR (5,801 pages differ)',
      '12 changes approved by 3 people',
      `4 changes approved by ${'x'.repeat(37)}…`,
      `Not gated: the base is ${'x'.repeat(16)}… (no visual changes)`,
      'Not gated (waiting for a preview deployment of abc1234)',
      `The deployment of ${'x'.repeat(34)}… failed`,
    ]);
    for (const each of titles) expect(each.length).toBeLessThanOrEqual(60);
  });
});
