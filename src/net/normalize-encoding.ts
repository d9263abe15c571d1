const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

const HEX_DIGITS = '0123456789abcdefABCDEF';

/**
 * Whether a stray percent sign precedes this position. Together with the decoded character it would encode something.
 */
function isAfterStray(text: string, at: number): boolean {
  if (text[at - 1] === '%') return true;
  return text[at - 2] === '%' && HEX_DIGITS.includes(text[at - 1] ?? ' ');
}

/** RFC 3986 6.2.2: decodes what needs no encoding, and capitalizes the hex digits of what stays encoded. */
export function normalizeEncoding(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%[0-9a-f]{2}/gi, (encoded, at: number) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(character) && !isAfterStray(text, at) ? character : encoded.toUpperCase();
  });
}
