import type { PageAction } from '../../suites/config/page-rule.ts';
import { inOneLine } from '../../text/lines.ts';

/** Quoted if it could be read as something else. */
const formatKey = (key: string) => (/^[^\s"]+$/.test(key) ? key : JSON.stringify(key));

/** An action as a line of text. `readAction` reads it back. */
export function formatAction(action: PageAction): string {
  switch (action.type) {
    case 'click':
    case 'hover':
      return `${action.type} ${inOneLine(action.selector)}`;
    case 'scrollTo':
      return `scroll to ${inOneLine(action.selector)}`;
    case 'type':
      return `type ${JSON.stringify(action.text)} into ${inOneLine(action.selector)}`;
    case 'press':
      return `press ${formatKey(action.key)}${action.selector === undefined ? '' : ` on ${inOneLine(action.selector)}`}`;
    case 'wait':
      return `wait ${action.ms} ms`;
  }
}

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;

function unquote(text: string): unknown {
  if (!text.startsWith('"')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

type Form = { pattern: RegExp; read: (first: string, second: string | undefined) => unknown };

const FORMS: Form[] = [
  { pattern: /^(click|hover)\s+(\S.*)$/i, read: (type, selector) => ({ type: type.toLowerCase(), selector }) },
  { pattern: /^scroll\s+to\s+(\S.*)$/i, read: (selector) => ({ type: 'scrollTo', selector }) },
  {
    pattern: new RegExp(String.raw`^type\s+(${QUOTED})\s+into\s+(\S.*)$`, 'i'),
    read: (text, selector) => ({ type: 'type', selector, text: unquote(text) }),
  },
  {
    pattern: new RegExp(String.raw`^press\s+(${QUOTED}|[^\s"]+)(?:\s+on\s+(\S.*))?$`, 'i'),
    read: (key, selector) => ({ type: 'press', key: unquote(key), ...(selector === undefined ? {} : { selector }) }),
  },
  { pattern: /^wait\s+(\d+)(?:\s*ms)?$/i, read: (ms) => ({ type: 'wait', ms: Number(ms) }) },
];

/** The action in a line. A line without a valid action stays text, which the validation refuses. */
export function readAction(line: string): unknown {
  for (const { pattern, read } of FORMS) {
    const [whole, first = '', second] = pattern.exec(line) ?? [];
    if (whole !== undefined) return read(first, second);
  }
  return line;
}
