import { createHash } from 'node:crypto';
import { findIdentity } from '../auth/user-store.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { errorMessage } from '../errors.ts';
import { describeEvent } from '../events/describe-event.ts';
import { findEventsById } from '../events/event-store.ts';
import type { RecordedEvent } from '../events/event.ts';
import { enqueue, postponedTo } from '../queue/enqueue.ts';
import { cut, formatNumber } from '../text/format.ts';
import { escapeMarkup } from './channel-messages.ts';
import { isHeard } from './choice.ts';
import { unsubscribeUrl } from './choices.ts';
import { nextWait } from './delivery.ts';
import { findListened, findNextDigest, findWaiting, removeWaiting, saveNextDigest } from './digest-store.ts';

/** An event, with the suite in which it happened. */
type ToldEvent = { suite: { id: string; name: string }; event: RecordedEvent };

const MOST_LINES = 50;
const LINE_LENGTH = 300;
const SUBJECT_LENGTH = 150;

const escape = (text: string): string => escapeMarkup(text).replaceAll('"', '&quot;');

/** Names and comments are somebody's text: a line stays a line. */
const oneLine = (text: string): string => cut(text.replace(/[\s\p{Cc}]+/gu, ' '), LINE_LENGTH);

type Line = { text: string; url: string };
type Section = { name: string; lines: Line[] };

/** In the order of their first events. */
function toSections(told: readonly ToldEvent[], publicUrl: string): Section[] {
  const sections = new Map<string, Section>();
  for (const { suite, event } of told) {
    const section = sections.get(suite.id) ?? { name: oneLine(suite.name), lines: [] };
    const path = event.runId === null ? `/suites/${suite.id}` : `/runs/${event.runId}`;
    section.lines.push({ text: oneLine(describeEvent(event)), url: publicUrl + path });
    sections.set(suite.id, section);
  }
  return [...sections.values()];
}

const writeText = ({ name, lines }: Section): string =>
  [name, ...lines.map(({ text, url }) => `- ${text}\n  ${url}`)].join('\n');

const writeHtml = ({ name, lines }: Section): string => {
  const items = lines.map(({ text, url }) => `<li><a href="${escape(url)}">${escape(text)}</a></li>`);
  return `<h2>${escape(name)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
};

/** @param unsubscribe the address at which one click ends all digests */
function writeDigest(
  told: readonly ToldEvent[],
  { publicUrl }: Pick<Config, 'publicUrl'>,
  unsubscribe: string,
): { subject: string; text: string; html: string } {
  const sections = toSections(told.slice(0, MOST_LINES), publicUrl);
  const [first] = sections;
  const more = (shown: number) => (told.length > shown ? [`and ${formatNumber(told.length - shown)} more`] : []);
  const choose = `${publicUrl}/account/email`;
  return {
    subject: [cut(`${first?.name ?? ''}: ${first?.lines[0]?.text ?? ''}`, SUBJECT_LENGTH), ...more(1)].join(', '),
    text: [
      ...sections.map(writeText),
      ...more(MOST_LINES),
      `Choose what you hear by email: ${choose}\nUnsubscribe: ${unsubscribe}\n`,
    ].join('\n\n'),
    html: [
      '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Pixelgate</title></head>\n<body>',
      ...sections.map(writeHtml),
      ...more(MOST_LINES).map((text) => `<p>${text}</p>`),
      `<p><a href="${escape(choose)}">Choose what you hear by email</a> · <a href="${escape(unsubscribe)}">Unsubscribe</a></p>`,
      '</body></html>\n',
    ].join('\n'),
  };
}

type DigestContext = Pick<Context, 'config' | 'db' | 'mailer' | 'clock' | 'log'>;

const HOUR_MS = 3_600_000;
/** The most events of one digest. The next one has the rest. */
const MOST_EVENTS = 1000;

/** The events that the person may still read, and still wants to hear of. */
async function findTold(db: Db, userId: string, eventIds: readonly number[]): Promise<ToldEvent[]> {
  const events = new Map((await findEventsById(db, eventIds)).map((event) => [event.id, event]));
  return (await findListened(db, userId, eventIds)).flatMap((listener) => {
    const event = events.get(listener.eventId);
    const told = event !== undefined && isHeard(listener, event);
    return told ? [{ suite: { id: listener.suiteId, name: listener.suiteName }, event }] : [];
  });
}

/** Depends only on the events, not on the worker that sends them. */
function digestId({ publicUrl }: Pick<Config, 'publicUrl'>, userId: string, told: ToldEvent[]): string {
  const hash = createHash('sha256').update(told.map(({ event }) => event.id).join(' '));
  return `digest.${userId}.${hash.digest('base64url')}@${new URL(publicUrl).hostname}`;
}

/** Returns why the mail server did not take it. Null: it did. */
async function send({ config, mailer }: DigestContext, userId: string, to: string, told: ToldEvent[]) {
  const unsubscribe = unsubscribeUrl(config, userId);
  try {
    await mailer.send({
      to,
      ...writeDigest(told, config, unsubscribe),
      unsubscribe,
      id: digestId(config, userId, told),
    });
    return null;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Says when to send the next one. A digest that failed too often is given up. */
function plan({ log }: DigestContext, userId: string, attempts: number, error: string | null) {
  if (error === null) return { wait: HOUR_MS, attempts: 0, isOver: true };
  const wait = nextWait(attempts + 1, null);
  if (wait === null) {
    log.error({ userId, attempts: attempts + 1, error }, 'gave up a digest');
    return { wait: HOUR_MS, attempts: 0, isOver: true };
  }
  log.warn({ userId, attempts: attempts + 1, error }, 'a digest was not sent');
  return { wait, attempts: attempts + 1, isOver: false };
}

/**
 * Job: mails a person what waits for them, at most once an hour. A worker that dies before it stored that leaves the events
 * waiting, so they are sent again, under the same Message-ID.
 */
export async function sendDigest(ctx: DigestContext, { userId }: { userId: string }): Promise<void> {
  const { db, clock } = ctx;
  const { dueAt, attempts } = await findNextDigest(db, userId);
  if (dueAt !== null && dueAt > clock.now()) {
    await enqueue(db, 'send-digest', { userId }, postponedTo(dueAt));
    return;
  }
  const waiting = await findWaiting(db, userId, MOST_EVENTS);
  const told = await findTold(db, userId, waiting);
  const person = await findIdentity(db, userId);
  if (person === null || told.length === 0) {
    await removeWaiting(db, userId, waiting);
    if (waiting.length === MOST_EVENTS) await enqueue(db, 'send-digest', { userId });
    return;
  }
  const planned = plan(ctx, userId, attempts, await send(ctx, userId, person.user.email, told));
  const next = { dueAt: new Date(clock.now().getTime() + planned.wait), attempts: planned.attempts };
  await inTransaction(db, async (trx) => {
    if (planned.isOver) await removeWaiting(trx, userId, waiting);
    await saveNextDigest(trx, userId, next);
    if ((await findWaiting(trx, userId, 1)).length > 0) {
      await enqueue(trx, 'send-digest', { userId }, postponedTo(next.dueAt));
    }
  });
}
