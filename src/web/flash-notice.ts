import type { Cookies } from '../http/cookies.ts';

/** A browser drops a cookie of more than 4,096 bytes; a character comes to 12 of them at most. */
const LONGEST_NOTICE = 300;

/** By whole characters: half of one can't be encoded. */
function shortened(notice: string): string {
  const characters = Array.from(notice);
  return characters.length <= LONGEST_NOTICE ? notice : `${characters.slice(0, LONGEST_NOTICE).join('')}…`;
}

/** Keeps a sentence for the next page, which shows it once. */
export function setFlashNotice(cookies: Cookies, notice: string): void {
  cookies.set('notice', shortened(notice));
}

/** What the last action left to be shown. */
export function takeFlashNotice(cookies: Cookies): string | null {
  const notice = cookies.read('notice');
  if (notice !== null) cookies.clear('notice');
  return notice;
}
