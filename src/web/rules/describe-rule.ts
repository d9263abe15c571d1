import { formatCount } from '../../text/format.ts';
import { readLines, tickedViewports, type RuleTexts } from './rule-text.ts';

/** Maximum number of items in a description. */
const NAMED = 3;

function name(items: string[]): string {
  const rest = items.length - NAMED;
  return rest > 0 ? `${items.slice(0, NAMED).join(', ')} and ${rest} more` : items.join(', ');
}

/** Such as `hides .ad`, or empty. */
const verb = (word: string, text: string | undefined): string[] => {
  const items = readLines(text);
  return items.length === 0 ? [] : [`${word} ${name(items)}`];
};

const counted = (word: string, text: string | undefined, one: string, other?: string): string[] => {
  const items = readLines(text);
  return items.length === 0 ? [] : [`${word} ${formatCount(items.length, one, other)}`];
};

const single = (text: string | undefined, say: (value: string) => string): string[] => {
  const value = (text ?? '').trim();
  return value === '' ? [] : [say(value)];
};

/** What the rule does, in words: `On /blog/** at mobile: hides .ad, ignores #clock`. */
export function describeRule(texts: RuleTexts): string {
  const paths = readLines(texts['paths']);
  const viewports = tickedViewports(texts);
  const does = [
    ...single(texts['skip'], (skip) => (skip === 'yes' ? 'excludes the pages' : 'includes the pages')),
    ...verb('hides', texts['hide']),
    ...verb('removes', texts['remove']),
    ...verb('covers', texts['mask']),
    ...verb('ignores', texts['ignore']),
    ...counted('ignores', texts['ignoreBoxes'], 'box', 'boxes'),
    ...verb('waits for', texts['waitFor']),
    ...counted('does', texts['actions'], 'action'),
    ...single(texts['waitTime'], (time) => `waits ${time} ms`),
    ...single(texts['css'], () => 'adds CSS'),
    ...single(texts['threshold'], (threshold) => `color threshold ${threshold}`),
    ...single(texts['failureThreshold'], (threshold) => `failure threshold ${threshold}%`),
  ];
  const where = paths.length === 0 ? 'New rule' : `On ${name(paths)}`;
  const at = viewports.length === 0 ? '' : ` at ${name(viewports)}`;
  return `${where}${at}: ${does.length === 0 ? 'nothing yet' : does.join(', ')}`;
}
