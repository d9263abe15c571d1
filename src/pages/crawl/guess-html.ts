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
