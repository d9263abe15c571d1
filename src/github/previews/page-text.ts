/** Elements whose content is not text that a reader sees. */
const SILENT = /^(script|style|template|noscript|svg)\b/i;

/** A document, and the same in lower case, in which end tags are found. */
type Source = { html: string; lower: string };

/** Where the tag that starts at `open` ends; for a silent element, where its end tag does. */
function endOfTag({ html, lower }: Source, open: number): number {
  const [name] = SILENT.exec(html.slice(open + 1, open + 12)) ?? [];
  const closing = name === undefined ? open : lower.indexOf(`</${name.toLowerCase()}`, open);
  const end = closing === -1 ? -1 : html.indexOf('>', closing);
  return end === -1 ? html.length : end + 1;
}

function endOfMarkup(source: Source, open: number): number {
  if (!source.html.startsWith('<!--', open)) return endOfTag(source, open);
  const end = source.html.indexOf('-->', open);
  return end === -1 ? source.html.length : end + 3;
}

/** What a reader sees of a document, roughly, in one line. The path, which many pages repeat, is left out. */
export function pageText(html: string, path: string): string {
  const source = { html, lower: html.toLowerCase() };
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    parts.push(html.slice(at, open === -1 ? undefined : open));
    at = open === -1 ? html.length : endOfMarkup(source, open);
  }
  const text = parts.join(' ').replace(/\s+/g, ' ').trim();
  return path.length > 1 ? text.replaceAll(path, '').replaceAll(encodeURIComponent(path), '') : text;
}

/** A page that a script fills in the browser: hardly a word, and a script. */
export function isShell(html: string): boolean {
  return /<script\b/i.test(html) && pageText(html, '').length < 200;
}

/** What hosts of previews show where there is no deployment (yet), whatever the status that they answer. */
const ERROR_PAGES: readonly [RegExp, string][] = [
  [/\bDEPLOYMENT_(NOT_FOUND|NOT_READY\w*|PAUSED|DISABLED|BLOCKED|DELETED)\b/, 'Vercel'],
  [/^(Site not found|Page not found)\b.*Looks like you.ve followed a broken link/, 'Netlify'],
  [/\bThere isn.t a GitHub Pages site here\b/, 'GitHub Pages'],
  [/^(No such app|Application error)\b.*\bHeroku\b/i, 'Heroku'],
  [/\bApplication failed to respond\b/, 'Railway'],
  [/\b(NoSuchBucket|NoSuchWebsiteConfiguration)\b/, 'Amazon S3'],
  [/\bFastly error: unknown domain\b/, 'Fastly'],
  [/\bERR_NGROK_\d+/, 'ngrok'],
  [/\bError 10\d\d\b.*\bCloudflare\b/i, 'Cloudflare'],
];

/** Error pages are short; a real page may quote one. */
const MAX_ERROR_PAGE = 2000;

/** The host whose own error page this is. */
export function errorPageOf(text: string, headers: Record<string, string>): string | null {
  if (headers['x-vercel-error'] !== undefined) return 'Vercel';
  if (text.length > MAX_ERROR_PAGE) return null;
  return ERROR_PAGES.find(([sign]) => sign.test(text))?.[1] ?? null;
}
