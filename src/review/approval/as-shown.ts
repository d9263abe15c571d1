import { hashPicture } from '../../elements/picture.ts';
import { conflict } from '../../errors.ts';
import type { PageResult } from '../../runs/results/result.ts';

type Compared = Pick<PageResult, 'currentFile' | 'baselineFile' | 'diffFile' | 'heardKey'>;

/** Names the comparison that a person sees of a result. It changes when the result is compared with another baseline. */
export function lookOf({ currentFile, baselineFile, diffFile, heardKey }: Compared): string {
  return hashPicture(JSON.stringify([currentFile, baselineFile, diffFile, heardKey]));
}

/** By the id of the result. Programs name none. */
export type Looks = ReadonlyMap<string, string>;

/**
 * Nobody approves what they were not shown.
 * @param look how it looked. Undefined: a program does not say
 * @throws AppError conflict `not_as_shown` when the result was compared again since then
 */
export function assertAsShown(result: PageResult, look: string | undefined): void {
  if (look === undefined || look === lookOf(result)) return;
  const where = `${result.path} at ${result.viewport}`;
  throw conflict(`${where} was compared again in the meantime. Look at it again`, 'not_as_shown');
}
