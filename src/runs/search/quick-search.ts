import type { Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { findPagesByWords } from '../../pages/page-search-store.ts';
import type { FoundPage } from '../../pages/site-page.ts';
import { findSuitesByText } from '../../suites/suite-for-viewer-store.ts';
import type { FoundSuite } from '../../suites/suite.ts';
import { searchWords } from '../../text/search-words.ts';
import type { RunWithSuite } from '../list/run-list.ts';
import { findRunsByText } from './run-find-store.ts';

/** Maximum number of hits of each kind. The lists of that kind have filters for more. */
export const FOUND_OF_EACH = 6;

export type Found = {
  suites: FoundSuite[];
  pages: FoundPage[];
  /** The newest run of each pull request, in each suite. */
  pullRequests: RunWithSuite[];
  runs: RunWithSuite[];
};

const NOTHING: Found = { suites: [], pages: [], pullRequests: [], runs: [] };

const NUMBER = /^(#?)(\d{1,9})$/;

/** The typed text: its words, and its number, if it is one. `alone`: written as `#12`, it is only a number. */
type QuickSearch = { text: string; words: string[]; number: number | null; alone: boolean };

export function readQuickSearch(typed: string): QuickSearch {
  const text = typed.replaceAll('\u0000', '').trim();
  const [, sign, digits] = NUMBER.exec(text) ?? [];
  return {
    text,
    words: searchWords(text),
    number: digits === undefined ? null : Number(digits),
    alone: sign === '#',
  };
}

/**
 * Finds what the viewer may read: suites by any part of their name or URL; pages, pull requests and runs by parts of
 * words; runs and pull requests also by number. Four statements, each with a limit.
 */
export async function quickSearch(
  { db }: Pick<Context, 'db'>,
  viewer: Viewer,
  { text, words, number, alone }: QuickSearch,
): Promise<Found> {
  if (words.length === 0) return NOTHING;
  const [suites, pages, { runs, pullRequests }] = await Promise.all([
    alone ? [] : findSuitesByText(db, viewer.id, text, FOUND_OF_EACH),
    alone ? [] : findPagesByWords(db, viewer.id, words, FOUND_OF_EACH),
    findRunsByText(db, viewer, { text, number, alone }, FOUND_OF_EACH),
  ]);
  return { suites, pages, pullRequests, runs };
}
