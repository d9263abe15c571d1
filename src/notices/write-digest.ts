import type { Config } from '../config.ts';
import { describeEvent } from '../events/describe-event.ts';
import type { RecordedEvent } from '../events/event.ts';
import { cut } from '../text/cut.ts';
import { formatNumber } from '../text/format.ts';
import { escapeMarkup } from './describe-message.ts';

/** An event, with the suite in which it happened. */
export type ToldEvent = { suite: { id: string; name: string }; event: RecordedEvent };

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
export function writeDigest(
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
