import { icon, landscape, logo } from './site-images.ts';
import type { IconName, Landscape } from './site-images.ts';

export type SitePage = {
  /** The pathname, which identifies the page. */
  path: string;
  title: string;
  /** One sentence below the title. */
  lead: string;
  hero: Landscape;
  /** The HTML of the main part. */
  body: string;
};

const NAVIGATION = [
  ['/routes', 'Routes'],
  ['/cabins', 'Cabins'],
  ['/dining', 'Dining car'],
  ['/timetable', 'Timetable'],
  ['/prices', 'Prices'],
  ['/journal', 'Journal'],
  ['/about', 'About'],
] as const;

// Wraps the navigation like most sites do. `aria-current` marks the section, not only the page.
function navigation(current: string): string {
  const items = NAVIGATION.map(([path, label]) => {
    const mark = current === path || current.startsWith(`${path}/`) ? ' aria-current="page"' : '';
    return `<li><a href="${path}"${mark}>${label}</a></li>`;
  });
  return `<nav aria-label="Main"><ul>${items.join('')}</ul></nav>`;
}

export const paragraphs = (...texts: string[]) => texts.map((text) => `<p>${text}</p>`).join('');

export function card(title: string, text: string, iconName: IconName, href?: string): string {
  const inner = `${icon(iconName)}<h3>${title}</h3><p>${text}</p>`;
  return href === undefined ? `<div class="card">${inner}</div>` : `<a class="card" href="${href}">${inner}</a>`;
}

export const cards = (...items: string[]) => `<div class="cards">${items.join('')}</div>`;

/** Text on the left and a colored note on the right. On a small screen, the note is below the text. */
export function columns(left: string, note: string): string {
  return `<div class="columns"><div>${left}</div><aside>${note}</aside></div>`;
}

export function figure(image: Landscape, caption: string, extra = ''): string {
  return `<figure${extra}>${landscape(image)}<figcaption>${caption}</figcaption></figure>`;
}

/** Columns in `wide` (by index) are omitted on a small screen. */
export function table(head: string[], rows: string[][], wide: number[] = []): string {
  const mark = (i: number) => (wide.includes(i) ? ' class="wide"' : '');
  const line = (cells: string[], tag: string) =>
    `<tr>${cells.map((cell, i) => `<${tag}${mark(i)}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${line(head, 'th')}</thead><tbody>${rows.map((row) => line(row, 'td')).join('')}</tbody></table>`;
}

/** A whole document. Nothing here needs escaping, because all texts of the site are constants. */
export function layOut(page: SitePage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · Marrowdale Night Railway</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/site.css">
</head>
<body>
<header class="site"><a class="brand" href="/">${logo}<span>Marrowdale Night Railway</span></a>${navigation(page.path)}</header>
<div class="hero">${landscape(page.hero)}<div class="words"><h1>${page.title}</h1><p>${page.lead}</p></div></div>
<main>${page.body}</main>
<footer class="site"><p>Marrowdale Night Railway runs in a story, and in this demonstration.</p>
<a href="/about#letters">Write to us</a><a href="/journal?utm_source=footer">Journal</a><a href="/staff">For staff</a></footer>
</body>
</html>
`;
}
