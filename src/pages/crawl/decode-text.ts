import { orNull } from '../../errors.ts';

const LABEL = /charset\s*=[\s"']*([^\s"'/>;]+)/i;
/** Browsers look for a `<meta charset>` in the first 1,024 bytes. Some pages start with a long comment. */
const PRESCAN_BYTES = 4096;

function byteOrderMark(bytes: Buffer): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return null;
}

/** The text between each `opening` and the next `>`. */
function tagsIn(text: string, opening: RegExp): string[] {
  const [, ...rests] = text.split(opening);
  return rests.flatMap((rest) => (rest.includes('>') ? (rest.split('>', 1)[0] ?? []) : []));
}

function declaredInside(bytes: Buffer): string | null {
  const start = bytes.subarray(0, PRESCAN_BYTES).toString('latin1');
  const meta = tagsIn(start, /<meta\b/i).find((tag) => /charset\s*=/i.test(tag));
  const declaration = meta ?? tagsIn(start, /<\?xml\b/i)[0]?.replace(/encoding\s*=/i, 'charset=') ?? '';
  const name = LABEL.exec(declaration)?.[1]?.toLowerCase() ?? null;
  // A declaration that could be read as ASCII can't mean UTF-16, whatever it says (HTML standard, "prescan").
  return name?.startsWith('utf-16') === true ? 'utf-8' : name;
}

const decoderFor = (label: string | null) => (label === null ? null : orNull(() => new TextDecoder(label)));

/**
 * Decodes text as a browser does: by byte order mark, then `content-type`, then what the document declares, then UTF-8.
 */
export function decodeText(bytes: Buffer, contentType: string): string {
  const decoder =
    decoderFor(byteOrderMark(bytes)) ??
    decoderFor(LABEL.exec(contentType)?.[1] ?? null) ??
    decoderFor(declaredInside(bytes)) ??
    new TextDecoder();
  return decoder.decode(bytes);
}

/** Without `.js` and the like on purpose: `/wiki/Node.js` is a page. For those, the response's content type decides. */
const NOT_PAGES = new Set(
  (
    'jpg jpeg jfif png gif webp avif svg ico bmp tif tiff heic psd mp3 m4a ogg oga wav flac aac mp4 m4v mov avi mkv webm mpg mpeg wmv ' +
    'woff woff2 ttf otf eot css rss atom ics vcf csv tsv ' +
    'zip gz tgz bz2 xz zst 7z rar tar jar war whl deb rpm dmg pkg msi exe apk iso bin ' +
    'pdf ps eps doc docx xls xlsx ppt pptx odt ods odp epub mobi rtf torrent'
  ).split(' '),
);

/** False for a path with the extension of an image, archive, document or feed, which is not worth a request. */
export function isLikelyPage(path: string): boolean {
  const pathname = path.split('?', 1)[0] ?? '';
  const extension = /\.([a-z0-9]+)$/i.exec(pathname)?.[1];
  return extension === undefined || !NOT_PAGES.has(extension.toLowerCase());
}

/** Decides by content type, which some servers send twice. Without one, the first bytes decide (see `looksLikeHtml`). */
export function isHtmlType(contentType: string | undefined): boolean {
  const type = (contentType ?? '').split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? '';
  return type === '' || type === 'text/html' || type === 'application/xhtml+xml';
}

/** For a response without a content type. */
export function looksLikeHtml(text: string): boolean {
  let rest = text
    .slice(0, 2048)
    .replace(/^\uFEFF/, '')
    .trimStart();
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->', 4);
    if (end === -1) return false;
    rest = rest.slice(end + 3).trimStart();
  }
  return /^<(!doctype\s+html|html|head|body|title|meta|h1|div|p)\b/i.test(rest);
}
