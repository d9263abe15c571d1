import { describeEvent, describeReason } from '../events/describe-event.ts';
import { cut, formatCount, ifAny } from '../text/format.ts';
import { readCount, readText, TEST_TYPE, type Message } from './message.ts';

/** What people in a channel read, as plain text. */
type Told = { title: string; lines: string[]; links: { label: string; url: string }[] };

const COUNTS = [
  ['changed', 'changed', 'changed'],
  ['drifted', 'drifted with the site', 'drifted with the site'],
  ['errors', 'error', 'errors'],
  ['passed', 'passed', 'passed'],
] as const;

function describeCounts({ data: { details } }: Message): string[] {
  const counts = COUNTS.flatMap(([name, one, many]) => {
    const count = readCount(details, name);
    return ifAny(count, formatCount(count, one, many));
  });
  return counts.length === 0 ? [] : [counts.join(' · ')];
}

function describeResult({ data: { details } }: Message): string {
  if (details['reviewState'] === 'PENDING') return 'changes wait for a review';
  if (readText(details, 'reason') !== null) return 'nothing was captured';
  return readCount(details, 'errors') > 0 ? 'ended with errors' : 'passed';
}

/** What happened, after the name of the run or the suite. Null: the kind of the event is all that there is to say there. */
function summarize(message: Message): string | null {
  switch (message.type) {
    case TEST_TYPE:
      return 'a test message from Pixelgate';
    case 'run.completed':
      return describeResult(message);
    case 'run.failed':
      return 'the run failed';
    case 'crawl.failed':
      return 'the crawl failed';
    case 'schedule.missed':
      return 'a scheduled run did not start';
    default:
      return null;
  }
}

/** Escapes the characters that mean something in HTML and in Slack's markup. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The words for a message. All texts may come from pages, so each channel escapes them in its own way. */
function describeMessage(message: Message): Told {
  const { suite, run, actor, causes, details } = message.data;
  const about = [suite?.name, run?.name].filter((name) => name !== undefined).join(' · ');
  const summary = summarize(message);
  const event = summary ?? message.type.replace(/[._]/g, ' ');
  const why = readText(details, 'error') ?? describeReason(readText(details, 'reason') ?? '');
  return {
    title: about === '' ? event : `${about}: ${event}`,
    lines: [
      ...(summary === null ? [describeEvent({ kind: message.type, actor, details })] : describeCounts(message)),
      ...(why === '' ? [] : [why]),
      ...causes.map(({ summary, results }) => `${summary} (${formatCount(results, 'screenshot')})`),
    ],
    links: [
      ...(run === null ? [] : [{ label: 'Open the run', url: run.url }]),
      ...(suite === null ? [] : [{ label: 'Open the suite', url: suite.url }]),
    ],
  };
}

/** Slack refuses a header of more than 150 characters, a section of more than 3,000, and more than 50 blocks. */
const HEADER_LENGTH = 150;
const SECTION_LENGTH = 3000;
const SLACK_LINES = 20;
const LINE_LENGTH = 300;

/**
 * Text that Slack shows as it is. Slack has no escape for the characters of its markup, so each gets a zero-width space
 * before it: text from a page could otherwise look like a message of ours.
 */
export const escapeForSlack = (text: string): string =>
  escapeMarkup(text.replace(/\s+/g, ' ')).replace(/[*_~`]/g, (character) => `\u200B${character}`);

/** Whole lines that fit. */
function joinWithin(lines: string[], length: number): string {
  const text = lines.join('\n');
  return text.length <= length || lines.length === 0 ? text : joinWithin(lines.slice(0, -1), length);
}

/** The body for an incoming webhook, in blocks. */
export function toSlack(message: Message): unknown {
  const { title, lines, links } = describeMessage(message);
  const shown = lines.slice(0, SLACK_LINES).map((line) => escapeForSlack(cut(line, LINE_LENGTH)));
  const button = ({ label, url }: { label: string; url: string }) => ({
    type: 'button',
    text: { type: 'plain_text', text: label },
    url,
  });
  return {
    text: escapeForSlack(cut(title, LINE_LENGTH)),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(title, HEADER_LENGTH), emoji: false } },
      ...(shown.length === 0
        ? []
        : [{ type: 'section', text: { type: 'mrkdwn', text: joinWithin(shown, SECTION_LENGTH), verbatim: true } }]),
      ...(links.length === 0 ? [] : [{ type: 'actions', elements: links.map(button) }]),
    ],
  };
}

/** A card has at most 28 KB, and a character up to 4 bytes, so this stays below it whatever the text. */
const CARD_TITLE_LENGTH = 300;
const CARD_LINES = 15;

/** Text that a card shows as it is: its markdown is escaped, and a line stays one. */
const escapeForTeams = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]()#+\-.!|<>~]/g, '\\$&');

const block = (text: string, more: Record<string, unknown> = {}) => ({ type: 'TextBlock', text, wrap: true, ...more });

/** The body for a Workflows address: an Adaptive Card. */
export function toTeams(message: Message): unknown {
  const { title, lines, links } = describeMessage(message);
  const shown = lines.slice(0, CARD_LINES).map((line) => block(escapeForTeams(cut(line, LINE_LENGTH))));
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [block(escapeForTeams(cut(title, CARD_TITLE_LENGTH)), { weight: 'Bolder', size: 'Medium' }), ...shown],
          actions: links.map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
        },
      },
    ],
  };
}
