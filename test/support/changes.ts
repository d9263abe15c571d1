import type { Knex } from 'knex';
import { replaceChanges } from '../../src/runs/results/change-store.ts';
import type { FoundChange } from '../../src/runs/results/result.ts';

/** A change whose key is made of a letter. */
export function changeOf(letter: string, changes: Partial<FoundChange> = {}): FoundChange {
  const box = { x: 0, y: 0, width: 10, height: 4 };
  return {
    key: letter.repeat(32),
    kind: 'RESTYLED',
    element: `header.${letter}`,
    summary: 'background #ffffff → #000000',
    before: 'background: #ffffff',
    after: 'background: #000000',
    baselineBox: box,
    currentBox: box,
    canvasBox: box,
    shownBox: box,
    picture: letter.repeat(32),
    faint: false,
    drift: false,
    informs: false,
    ...changes,
  };
}

/** Says what changed in results of a finished run: for each path the letters of its changes. */
export async function storeChanges(
  db: Knex,
  results: { id: string; testRunId: string; path: string }[],
  byPath: Record<string, string>,
): Promise<void> {
  for (const result of results) {
    const changes = (byPath[result.path] ?? '').split('').map((letter) => changeOf(letter));
    await replaceChanges(db, result, changes);
  }
}
