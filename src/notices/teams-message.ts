import { cut } from '../text/cut.ts';
import { describeMessage } from './describe-message.ts';
import type { Message } from './message.ts';

/** A card has at most 28 KB, and a character up to 4 bytes, so this stays below it whatever the text. */
const TITLE_LENGTH = 300;
const MOST_LINES = 15;
const LINE_LENGTH = 300;

/** Text that a card shows as it is: its markdown is escaped, and a line stays one. */
const escape = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]()#+\-.!|<>~]/g, '\\$&');

const block = (text: string, more: Record<string, unknown> = {}) => ({ type: 'TextBlock', text, wrap: true, ...more });

/** The body for a Workflows address: an Adaptive Card. */
export function toTeams(message: Message): unknown {
  const { title, lines, links } = describeMessage(message);
  const shown = lines.slice(0, MOST_LINES).map((line) => block(escape(cut(line, LINE_LENGTH))));
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [block(escape(cut(title, TITLE_LENGTH)), { weight: 'Bolder', size: 'Medium' }), ...shown],
          actions: links.map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
        },
      },
    ],
  };
}
