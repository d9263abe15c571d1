import { z } from 'zod';
import type { Landing } from '../browser/browser.ts';
import { DocumentReplaced, evaluateInPage } from '../evaluate-in-page.ts';
import type { OpenPage } from '../open-page.ts';

const LIMIT_MS = 2000;

const LANDING = `({
  url: location.href,
  asksForPassword: [...document.querySelectorAll('input[type=password]')].some((input) => input.checkVisibility()),
})`;

const Answer = z.object({ url: z.string(), asksForPassword: z.boolean() });

/** Where the page ended up, and whether it asks for a password there. Null when it has moved on since. */
export async function readLanding(open: OpenPage): Promise<Landing | null> {
  try {
    return Answer.parse(await evaluateInPage(open, LANDING, LIMIT_MS));
  } catch (error) {
    if (error instanceof DocumentReplaced) return null;
    throw error;
  }
}
