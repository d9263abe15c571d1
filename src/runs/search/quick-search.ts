import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import type { FoundPage } from '../../pages/found-page.ts';
import { findPagesByWords } from '../../pages/quick-page-store.ts';
import type { FoundSuite } from '../../suites/found-suite.ts';
import { findSuitesByText } from '../../suites/quick-suite-store.ts';
import { searchWords } from '../../text/search-words.ts';
import type { RunWithSuite } from '../run-list.ts';
import { findRunsByText } from './run-find-store.ts';

/** Of each kind. Who wants more filters the list of that kind. */
const FOUND_OF_EACH = 6;

export type Found = {
  suites: FoundSuite[];
  pages: FoundPage[];
  /** The newest run of each pull request, in each suite. */
  pullRequests: RunWithSuite[];
  runs: RunWithSuite[];
};

const NOTHING: Found = { suites: [], pages: [], pullRequests: [], runs: [] };

const NUMBER = /^(#?)(\d{1,9})$/;

/**
 * What the viewer may read that has the text: suites by any part of their name or URL; pages, pull requests and runs by
 * the beginnings of words, or by the number of the latter. `#12` is a number only. Four statements, each bounded.
 */
export async function quickSearch({ db }: Pick<Context, 'db'>, viewer: Viewer, typed: string): Promise<Found> {
  const text = typed.replaceAll('\u0000', '').trim();
  const words = searchWords(text);
  if (words.length === 0) return NOTHING;
  const [, sign, digits] = NUMBER.exec(text) ?? [];
  const number = digits === undefined ? null : Number(digits);
  const alone = sign === '#';
  const [suites, pages, { runs, pullRequests }] = await Promise.all([
    alone ? [] : findSuitesByText(db, viewer.id, text, FOUND_OF_EACH),
    alone ? [] : findPagesByWords(db, viewer.id, words, FOUND_OF_EACH),
    findRunsByText(db, viewer.id, { text, number, alone }, FOUND_OF_EACH),
  ]);
  return { suites, pages, pullRequests, runs };
}
