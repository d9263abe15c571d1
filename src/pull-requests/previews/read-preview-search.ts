import type { Context } from '../../context.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { findPreviewSearch } from './preview-search-store.ts';
import type { PreviewSearch } from './preview-search.ts';

/**
 * The outcome of the search for the preview of a pull request's run. Null for other runs, and before the first search.
 */
export async function readPreviewSearch({ db }: Pick<Context, 'db'>, run: RunFor): Promise<PreviewSearch | null> {
  return findPreviewSearch(db, run.id);
}
