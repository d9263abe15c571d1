import { z } from 'zod';
import type { Landing } from '../browser/browser.ts';
import { evaluateInPage, unlessReplaced } from '../evaluate-in-page.ts';
import type { OpenPage } from '../open-page.ts';

const LIMIT_MS = 2000;

const LANDING = `({
  url: location.href,
  asksForPassword: [...document.querySelectorAll('input[type=password]')].some((input) => input.checkVisibility()),
})`;

const Answer = z.object({ url: z.string(), asksForPassword: z.boolean() });

/** Where the page ended up, and whether it asks for a password there. Null when it has moved on since. */
export async function readLanding(open: OpenPage): Promise<Landing | null> {
  const found = await unlessReplaced(evaluateInPage(open, LANDING, LIMIT_MS));
  return found && Answer.parse(found.value);
}
