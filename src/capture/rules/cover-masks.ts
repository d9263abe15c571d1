import { z } from 'zod';
import type { PageRules } from '../browser/capture-request.ts';
import { evaluateInPage, innerFrames } from '../evaluate-in-page.ts';
import type { OpenPage } from '../open-page.ts';
import { coverExpression } from '../scripts/mask-script.ts';

const COVER_MS = 5000;

const Matched = z.array(z.string());

/** The selectors that match in frames. A frame that does not respond has no matches. */
async function coverFrames({ page, guard }: OpenPage, expression: string): Promise<string[]> {
  const answers = Promise.all(
    innerFrames(page).map(async (frame) => {
      const answer: unknown = await frame.evaluate(expression).catch(() => []);
      return Matched.catch([]).parse(answer);
    }),
  );
  return (await guard.settles(answers, COVER_MS)) ? (await answers).flat() : [];
}

/**
 * Covers masked elements in the page and its frames. @returns the selectors of the rules that match nothing on the
 * current page.
 */
export async function coverMasks(open: OpenPage, { hide, remove, mask, ignore }: PageRules): Promise<string[]> {
  const selectors = [...new Set([...hide, ...remove, ...mask, ...ignore])];
  if (selectors.length === 0) return [];
  const expression = coverExpression(mask, selectors);
  const [answer, inFrames] = await Promise.all([
    evaluateInPage(open, expression, COVER_MS),
    coverFrames(open, expression),
  ]);
  const matched = new Set([...Matched.parse(answer), ...inFrames]);
  return selectors.filter((selector) => !matched.has(selector));
}
