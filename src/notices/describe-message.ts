import { formatCount } from '../text/format.ts';
import { readCount, readText, TEST_TYPE, type Message } from './message.ts';

/** What people in a channel read, as plain text. */
export type Told = { title: string; lines: string[]; links: { label: string; url: string }[] };

const COUNTS = [
  ['changed', 'changed', 'changed'],
  ['drifted', 'drifted with the site', 'drifted with the site'],
  ['errors', 'error', 'errors'],
  ['passed', 'passed', 'passed'],
] as const;

function describeCounts({ data: { details } }: Message): string[] {
  const counts = COUNTS.flatMap(([name, one, many]) => {
    const count = readCount(details, name);
    return count === 0 ? [] : [formatCount(count, one, many)];
  });
  return counts.length === 0 ? [] : [counts.join(' · ')];
}

function describeResult({ data: { details } }: Message): string {
  if (details['reviewState'] === 'PENDING') return 'changes wait for a review';
  return readCount(details, 'errors') > 0 ? 'ended with errors' : 'passed';
}

/** What happened, after the name of the run or the suite. */
function describeEvent(message: Message): string {
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
      return message.type.replace(/[._]/g, ' ');
  }
}

/** Signs that HTML and Slack's markup would read as their own. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The words for a message. All texts may come from pages, so each channel escapes them in its own way. */
export function describeMessage(message: Message): Told {
  const { suite, run, causes, details } = message.data;
  const about = [suite?.name, run?.name].filter((name) => name !== undefined).join(' · ');
  const event = describeEvent(message);
  const why = readText(details, 'error') ?? readText(details, 'reason');
  return {
    title: about === '' ? event : `${about}: ${event}`,
    lines: [
      ...describeCounts(message),
      ...(why === null ? [] : [why]),
      ...causes.map(({ summary, results }) => `${summary} (${formatCount(results, 'screenshot')})`),
    ],
    links: [
      ...(run === null ? [] : [{ label: 'Open the run', url: run.url }]),
      ...(suite === null ? [] : [{ label: 'Open the suite', url: suite.url }]),
    ],
  };
}
