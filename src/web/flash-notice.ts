import type { Cookies } from '../http/cookies.ts';

/** Characters. Browsers drop cookies of more than 4,096 bytes, and a character takes at most 12 bytes. */
const LONGEST_NOTICE = 300;

/** Shortens by whole characters, because half a surrogate pair can't be encoded. */
function shortened(notice: string): string {
  const characters = Array.from(notice);
  return characters.length <= LONGEST_NOTICE ? notice : `${characters.slice(0, LONGEST_NOTICE).join('')}…`;
}

/** Stores a message for the next page, which shows it once. */
export function setFlashNotice(cookies: Cookies, notice: string): void {
  cookies.set('notice', shortened(notice));
}

/** The message that the last action left. */
export function takeFlashNotice(cookies: Cookies): string | null {
  const notice = cookies.read('notice');
  if (notice !== null) cookies.clear('notice');
  return notice;
}
