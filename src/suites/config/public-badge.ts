import { setting } from './config-field.ts';
import { yesOrNo } from './config-kind.ts';

export const BADGE = {
  badge: setting(yesOrNo(), {
    section: 'badge',
    label: 'Public badge',
    help: 'Anyone with its address can see whether the site passes, without signing in. Nothing else becomes public.',
    default: false,
  }),
};

/** Characters that mean something in the text of a Markdown image. */
const MARKDOWN = '\\`*_[]<>!|&';

const escape = (text: string) => Array.from(text, (each) => (MARKDOWN.includes(each) ? `\\${each}` : each)).join('');

/** The badge as a link to the suite, for a README. Pure. */
export function badgeMarkdown(publicUrl: string, { id, name }: { id: string; name: string }): string {
  const says = escape(`Pixelgate: ${name.replace(/\s+/g, ' ')}`);
  return `[![${says}](${publicUrl}/suites/${id}/badge.svg)](${publicUrl}/suites/${id})`;
}
