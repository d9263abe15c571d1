import { describe, expect, it } from '@jest/globals';
import {
  choosePreview,
  isConcerned,
  toNamed,
  type PreviewChoice,
  type PreviewQuestion,
} from '../../../src/github/previews/choose-preview.ts';
import { followSignal, type HeardSignal } from '../../../src/github/previews/signal.ts';
import type { PreviewMatcher } from '../../../src/suites/config/preview-matcher.ts';
import { heard, seen } from './heard.ts';

const app = seen({ name: 'Preview – app', host: 'Vercel', project: 'app', url: 'https://app.vercel.app/' });
const docs = seen({ name: 'Preview – docs', host: 'Vercel', project: 'docs', url: 'https://docs.vercel.app/' }, 5);
const netlify = seen({
  source: 'STATUS',
  name: 'netlify/shop/deploy-preview',
  host: 'Netlify',
  project: 'shop',
  url: 'https://deploy-preview-7--shop.netlify.app/',
});
const ci = seen({ source: 'STATUS', name: 'ci/build', url: 'https://ci.test/1' });
const failed = (state: 'FAILED' | 'SKIPPED' | 'PENDING') => seen({ ...docs, state, url: null });

const matcher = (said: Partial<PreviewMatcher>): PreviewMatcher => ({
  environment: [],
  context: [],
  check: [],
  url: null,
  ...said,
});

const choose = (question: Partial<PreviewQuestion>): PreviewChoice =>
  choosePreview({ matcher: null, fallback: null, signals: [], others: [], ...question });

/** What was chosen in a few words. */
function outcome(question: Partial<PreviewQuestion>): string {
  const choice = choose(question);
  switch (choice.kind) {
    case 'found':
      return choice.preview.address;
    case 'several':
      return choice.candidates.map(({ name }) => name).join(' or ');
    case 'will_not_come':
      return `${choice.signal.name} ${choice.signal.state}`;
    case 'waiting':
      return 'waiting';
  }
}

const TEMPLATE = 'https://pr-7.acme.dev/';

describe('the preview of a suite', () => {
  it.each<[string, Partial<PreviewQuestion>, string]>([
    ['is awaited where there is none', {}, 'waiting'],
    ['is the only one', { signals: [ci, docs] }, 'https://docs.vercel.app/'],
    ['is no status or check of anything else', { signals: [ci] }, 'waiting'],
    ['is none of several', { signals: [docs, app, ci] }, 'Preview – docs or Preview – app'],
    ['is none of several hosts', { signals: [docs, netlify] }, 'Preview – docs or netlify/shop/deploy-preview'],
    [
      'is none of several where one is still made',
      { signals: [app, failed('PENDING')] },
      'Preview – app or Preview – docs',
    ],
    ['is none of several where one failed', { signals: [app, failed('FAILED')] }, 'Preview – app or Preview – docs'],
    [
      'is not taken for that of another project',
      { signals: [docs], others: [toNamed(app)] },
      'Preview – docs or Preview – app',
    ],
    [
      'is no job that only uses an environment',
      { signals: [docs, seen({ name: 'tests', state: 'FAILED' })] },
      'https://docs.vercel.app/',
    ],
    [
      'is none of such jobs where it is the only one',
      { signals: [seen({ name: 'tests', state: 'FAILED' })] },
      'waiting',
    ],
    [
      'is none of several at different paths of one host',
      {
        signals: [
          seen({ name: 'Preview docs', url: 'https://previews.test/pr-7/docs/' }),
          seen({ name: 'Preview app', url: 'https://previews.test/pr-7/app/' }, 5),
        ],
      },
      'Preview docs or Preview app',
    ],
    [
      'is one when two signals lead to it',
      { signals: [docs, seen({ name: 'preview', url: docs.url })] },
      'https://docs.vercel.app/',
    ],
    ['is awaited while it is made', { signals: [failed('PENDING')] }, 'waiting'],
    ['does not come when it failed', { signals: [failed('FAILED'), ci] }, 'Preview – docs FAILED'],
    ['does not come when it was left out', { signals: [failed('SKIPPED')] }, 'Preview – docs SKIPPED'],
  ])('that is not named %s', (_what, question, expected) => {
    expect(outcome(question)).toBe(expected);
  });

  it.each<[string, Partial<PreviewMatcher>, Partial<PreviewQuestion>, string]>([
    ['by an environment', { environment: ['preview*docs'] }, { signals: [app, docs] }, 'https://docs.vercel.app/'],
    ['by a context', { context: ['netlify/*/deploy-preview'] }, { signals: [app, netlify] }, netlify.url ?? ''],
    ['by another context than known ones', { context: ['ci/*'] }, { signals: [app, ci] }, 'https://ci.test/1'],
    [
      'by a check',
      { check: ['Pages*'] },
      { signals: [app, seen({ source: 'CHECK', name: 'Pages: x', url: 'https://x.pages.dev/' })] },
      'https://x.pages.dev/',
    ],
    ['and nothing like it came', { environment: ['other'] }, { signals: [app, docs], fallback: TEMPLATE }, 'waiting'],
    ['and several fit', { environment: ['Preview*'] }, { signals: [docs, app] }, 'Preview – docs or Preview – app'],
    [
      'and one of several came',
      { environment: ['Preview*'] },
      { signals: [failed('FAILED'), app] },
      'https://app.vercel.app/',
    ],
    [
      'and none of several came',
      { environment: ['Preview*'] },
      { signals: [failed('SKIPPED'), seen({ ...app, state: 'FAILED', url: null })] },
      'Preview – app FAILED',
    ],
    ['and others come', { environment: ['*docs'] }, { signals: [failed('FAILED'), app] }, 'Preview – docs FAILED'],
    ['by an address only', { url: TEMPLATE }, { signals: [app, docs] }, TEMPLATE],
    [
      'by a signal without an address',
      { context: ['ci/*'], url: TEMPLATE },
      { signals: [seen({ ...ci, url: null })] },
      TEMPLATE,
    ],
    ['by a signal that has not come', { context: ['ci/*'], url: TEMPLATE }, { signals: [app] }, 'waiting'],
  ])('that is named %s', (_what, said, question, expected) => {
    expect(outcome({ matcher: matcher(said), ...question })).toBe(expected);
  });

  it.each<[string, Partial<PreviewQuestion>, string]>([
    ['is there where no deployment says so', { signals: [ci] }, TEMPLATE],
    ['gives way to a deployment', { signals: [docs] }, 'https://docs.vercel.app/'],
    ['tells several deployments apart', { signals: [docs, app] }, TEMPLATE],
    ['does not wait for a deployment that may be another', { signals: [failed('PENDING')] }, TEMPLATE],
  ])('at an address that the repository names %s', (_what, question, expected) => {
    expect(outcome({ fallback: TEMPLATE, ...question })).toBe(expected);
  });

  it('is up when a signal from the host of the address says so', () => {
    const up = seen({ source: 'STATUS', name: 'deploy', url: `${TEMPLATE}x` }, 9);
    expect(choose({ fallback: TEMPLATE, signals: [up] })).toMatchObject({
      preview: { announcedAt: new Date(9000), signal: up },
    });
    expect(choose({ fallback: TEMPLATE, signals: [ci] })).toMatchObject({
      preview: { announcedAt: null, signal: null },
    });
  });

  it('is told by Vercel twice, and by its dispatch alone where it makes no deployment', () => {
    const told = (state: HeardSignal['state']) => seen({ ...docs, source: 'DISPATCH', state, url: null, serial: 0 });
    expect(outcome({ signals: [told('READY'), docs] })).toBe('https://docs.vercel.app/');
    expect(outcome({ signals: [told('SKIPPED'), seen({ ...docs, name: 'Preview', project: '' })] })).toBe(
      'https://docs.vercel.app/',
    );
    expect(outcome({ signals: [told('SKIPPED')] })).toBe('Preview – docs SKIPPED');
    expect(outcome({ signals: [told('SKIPPED')], matcher: matcher({ environment: ['Preview'] }) })).toBe(
      'Preview – docs SKIPPED',
    );
    expect(outcome({ signals: [told('SKIPPED'), app], matcher: matcher({ environment: ['*docs'] }) })).toBe(
      'Preview – docs SKIPPED',
    );
  });
});

describe('a signal', () => {
  const follow = (...events: HeardSignal[]) =>
    events.reduce<ReturnType<typeof followSignal>>((known, told) => followSignal(known, told) ?? known, null);
  const at = (serial: number, step: number, state: HeardSignal['state'], url: string | null = null) =>
    heard({ serial, step, state, url });

  const EVENTS = [at(1, 1, 'PENDING'), at(1, 2, 'FAILED'), at(2, 3, 'PENDING'), at(2, 4, 'READY', 'https://p.test/')];

  it('comes to the same in whatever order, and however often, its events come', () => {
    const orders = EVENTS.flatMap((first) =>
      EVENTS.flatMap((second) => EVENTS.map((third) => [first, second, third, ...EVENTS, third, first])),
    );
    for (const order of [...orders, EVENTS, EVENTS.toReversed()]) {
      expect(follow(...order)).toMatchObject({
        state: 'READY',
        url: 'https://p.test/',
        serial: 2,
        readyKey: '2 https://p.test/',
      });
    }
  });

  it('keeps the address that it had when a later deployment fails', () => {
    const events = [at(1, 1, 'READY', 'https://p.test/'), at(2, 2, 'FAILED')];
    for (const order of [events, events.toReversed()]) {
      expect(follow(...order)).toMatchObject({
        state: 'FAILED',
        url: 'https://p.test/',
        readyKey: '1 https://p.test/',
      });
    }
  });

  it('is another deployment with another number or address, and none when a status says it again', () => {
    const key = (...events: HeardSignal[]) => follow(...events)?.readyKey;
    const status = (serial: number, state: HeardSignal['state']) => heard({ source: 'STATUS', serial, state });
    expect(key(at(1, 1, 'READY', 'https://p.test/'), at(1, 2, 'READY', 'https://p.test/'))).toBe('1 https://p.test/');
    expect(key(at(1, 1, 'READY', 'https://p.test/'), at(2, 2, 'READY', 'https://p.test/'))).toBe('2 https://p.test/');
    expect(key(status(1, 'READY'), status(2, 'READY'))).toBe('1 https://p.test/');
    expect(key(status(1, 'READY'), status(2, 'PENDING'), status(3, 'READY'))).toBe('3 https://p.test/');
  });

  it('without numbers counts when it comes', () => {
    expect(follow(at(0, 0, 'FAILED'), at(0, 0, 'READY', 'https://p.test/'))?.state).toBe('READY');
    expect(follow(at(0, 0, 'READY', 'https://p.test/'), at(0, 0, 'PENDING'))?.state).toBe('READY');
  });

  it('matters to a search if it may be a preview, is named, or comes from the address', () => {
    const search = { used: null, candidates: [], failed: null, matcher: null, fallback: null };
    expect(isConcerned(search, docs)).toBe(true);
    expect(isConcerned(search, ci)).toBe(false);
    expect(isConcerned({ ...search, matcher: matcher({ context: ['ci/*'] }) }, ci)).toBe(true);
    expect(isConcerned({ ...search, fallback: 'https://ci.test/' }, ci)).toBe(true);
  });
});
