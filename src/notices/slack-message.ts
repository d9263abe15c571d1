import { cut } from '../text/cut.ts';
import { describeMessage, escapeMarkup } from './describe-message.ts';
import type { Message } from './message.ts';

/** Slack refuses a header of more than 150 characters, a section of more than 3,000, and more than 50 blocks. */
const HEADER_LENGTH = 150;
const SECTION_LENGTH = 3000;
const MOST_LINES = 20;
const LINE_LENGTH = 300;

/**
 * Text that Slack shows as it is. Signs of its markup get a zero-width space before them, as it has no other way: text
 * from a page could otherwise look like a message of ours.
 */
export const escape = (text: string): string =>
  escapeMarkup(text.replace(/\s+/g, ' ')).replace(/[*_~`]/g, (sign) => `\u200B${sign}`);

/** Whole lines that fit. */
function joinWithin(lines: string[], length: number): string {
  const text = lines.join('\n');
  return text.length <= length || lines.length === 0 ? text : joinWithin(lines.slice(0, -1), length);
}

/** The body for an incoming webhook, in blocks. */
export function toSlack(message: Message): unknown {
  const { title, lines, links } = describeMessage(message);
  const shown = lines.slice(0, MOST_LINES).map((line) => escape(cut(line, LINE_LENGTH)));
  const button = ({ label, url }: { label: string; url: string }) => ({
    type: 'button',
    text: { type: 'plain_text', text: label },
    url,
  });
  return {
    text: escape(cut(title, LINE_LENGTH)),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(title, HEADER_LENGTH), emoji: false } },
      ...(shown.length === 0
        ? []
        : [{ type: 'section', text: { type: 'mrkdwn', text: joinWithin(shown, SECTION_LENGTH), verbatim: true } }]),
      ...(links.length === 0 ? [] : [{ type: 'actions', elements: links.map(button) }]),
    ],
  };
}
