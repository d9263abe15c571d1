import { describe, expect, it } from '@jest/globals';
import { toSlack, toTeams } from '../../src/notices/channel-messages.ts';
import { isFailure, type Message } from '../../src/notices/message.ts';

const hostile = '<!channel> *bold* [link](https://evil.example) & "more"\n# title ';

const message = (text: string, causes: number): Message => ({
  type: 'run.completed',
  timestamp: '2026-11-25T12:00:00.000Z',
  data: {
    suite: { id: 's', name: `Docs ${text}`, url: 'https://gate.example/suites/s' },
    run: { id: 'r', number: 7, name: `#7 ${text}`, url: 'https://gate.example/runs/r' },
    actor: { kind: 'clock', name: null, via: null },
    causes: Array.from({ length: causes }, () => ({ summary: text, element: 'button', results: 3 })),
    details: { changed: 3, errors: 1, passed: 40, reviewState: 'PENDING', reason: text },
  },
});

type Block = { type: string; text?: { type: string; text: string }; elements?: { url: string }[] };

const readBlocks = (body: unknown) => (body as { blocks: Block[] }).blocks;

/** Which of the limits that Slack documents a body breaks, and which of its texts would be read as markup. */
function slackProblems(body: unknown): string[] {
  const blocks = readBlocks(body);
  const text = (type: string) => blocks.find((block) => block.type === type)?.text?.text ?? '';
  return [
    ...(/[<>]/.test((body as { text: string }).text) ? ['text'] : []),
    ...(blocks.length > 50 ? ['blocks'] : []),
    ...(text('header').length > 150 ? ['header'] : []),
    ...(text('section').length > 3000 ? ['section'] : []),
    ...(/[<>]|(?<!\u200B)[*_~`]/.test(text('section')) ? ['markup'] : []),
  ];
}

describe('a message to Slack', () => {
  it('has counts, causes and links', () => {
    const [header, section, actions] = readBlocks(toSlack(message('The button lost its shadow', 1)));
    expect(header?.text?.text).toBe(
      'Docs The button lost its shadow · #7 The button lost its shadow: changes wait for a review',
    );
    expect(section?.text?.text).toContain('3 changed · 1 error · 40 passed');
    expect(section?.text?.text).toContain('The button lost its shadow (3 screenshots)');
    expect(actions?.elements?.map(({ url }) => url)).toEqual([
      'https://gate.example/runs/r',
      'https://gate.example/suites/s',
    ]);
  });

  it('says that a run passed only if it captured something', () => {
    const titleOf = (details: Message['data']['details']) => {
      const { data, ...about } = message('Draft', 0);
      return readBlocks(toSlack({ ...about, data: { ...data, details } }))[0]?.text?.text;
    };
    const nothing = { changed: 0, errors: 0, passed: 0, reviewState: 'NOT_REQUIRED' };
    expect(titleOf({ ...nothing, passed: 3, reason: null })).toMatch(/: passed$/);
    expect(titleOf({ ...nothing, reason: 'draft_ignored' })).toMatch(/: nothing was captured$/);
  });

  it('says in words why nothing was captured', () => {
    const { data, ...about } = message('Draft', 0);
    const details = { reviewState: 'NOT_REQUIRED', reason: 'no_tracked_pages' };
    expect(readBlocks(toSlack({ ...about, data: { ...data, details } }))[1]?.text?.text).toBe('no tracked pages');
  });

  it('says who did what, if it was no run that ended', () => {
    const { data, ...about } = message('Docs', 0);
    const actor = { kind: 'person', name: 'Ada', via: null } as const;
    const details = { run: 7, results: 2, note: 'too blue' };
    const sent = toSlack({ ...about, type: 'review.changes_requested', data: { ...data, actor, details } });
    expect(readBlocks(sent)[1]?.text?.text).toBe('Ada requested changes to 2 results of run 7: “too blue”');
  });

  it('stays within the limits, and shows text from pages as text', () => {
    expect(slackProblems(toSlack(message(hostile, 10)))).toEqual([]);
    expect(slackProblems(toSlack(message(hostile.repeat(500), 200)))).toEqual([]);
  });
});

type Card = { attachments: { content: { body: { text: string }[]; actions: { url: string }[] } }[] };

describe('a message to Teams', () => {
  it('is an Adaptive Card with counts, causes and links', () => {
    const { attachments } = toTeams(message('Moved', 2)) as Card;
    const content = attachments[0]?.content;
    expect(content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' });
    expect(content?.body.map(({ text }) => text)).toEqual([
      'Docs Moved · \\#7 Moved: changes wait for a review',
      '3 changed · 1 error · 40 passed',
      'Moved',
      'Moved \\(3 screenshots\\)',
      'Moved \\(3 screenshots\\)',
    ]);
    expect(content?.actions).toHaveLength(2);
  });

  it('stays below 28 KB, and escapes markdown', () => {
    const card = toTeams(message('𝕏 <at>all</at> [a](https://evil.example) '.repeat(500), 200)) as Card;
    expect(Buffer.byteLength(JSON.stringify(card))).toBeLessThan(28 * 1024);
    expect(JSON.stringify(card.attachments[0]?.content.body)).not.toContain('](http');
  });
});

describe('what failed', () => {
  it('is what failed or waits for somebody', () => {
    expect(isFailure('run.completed', { reviewState: 'PENDING' })).toBe(true);
    expect(isFailure('run.completed', { reviewState: 'NOT_REQUIRED', errors: 1 })).toBe(true);
    expect(isFailure('run.completed', { reviewState: 'NOT_REQUIRED', errors: 0 })).toBe(false);
    expect(isFailure('crawl.failed', {})).toBe(true);
    expect(isFailure('review.approved', {})).toBe(false);
  });
});
