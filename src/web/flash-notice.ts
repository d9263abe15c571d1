import { z } from 'zod';
import { orNull } from '../errors.ts';
import type { Cookies } from '../http/cookies.ts';

const Action = z.object({
  label: z.string(),
  /** A form that is sent with these values, or a link. */
  action: z.string(),
  fields: z.record(z.string(), z.string()).nullable(),
  key: z.string().optional(),
});

const Notice = z.object({
  text: z.string(),
  /** The action was not carried out. */
  isProblem: z.boolean().default(false),
  /** What the viewer can do now, such as undo it. */
  actions: z.array(Action).default([]),
});
/** A message for the next page, which shows it once. */
export type Notice = z.input<typeof Notice>;

/** Characters, and bytes of a cookie. Browsers drop cookies of more than 4,096 bytes, and a character takes at most 12 bytes. */
const LONGEST_NOTICE = 300;
const MOST_BYTES = 3_800;

/** Shortens by whole characters, because half a surrogate pair can't be encoded. */
function shortened(notice: string): string {
  const characters = Array.from(notice);
  return characters.length <= LONGEST_NOTICE ? notice : `${characters.slice(0, LONGEST_NOTICE).join('')}…`;
}

/** Stores a message for the next page. If it is too long, its actions are left out. */
export function setFlashNotice(cookies: Cookies, said: string | Notice): void {
  const notice = typeof said === 'string' ? { text: said } : said;
  const short = { ...notice, text: shortened(notice.text) };
  const value = JSON.stringify(short);
  const fits = encodeURIComponent(value).length <= MOST_BYTES;
  cookies.set('notice', fits ? value : JSON.stringify({ ...short, actions: [] }));
}

/** The message that the last action left. */
export function takeFlashNotice(cookies: Cookies): z.output<typeof Notice> | null {
  const notice = cookies.take('notice');
  return notice === null ? null : orNull(() => Notice.parse(JSON.parse(notice)));
}
