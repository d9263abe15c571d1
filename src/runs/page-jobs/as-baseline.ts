import type { PageResult } from '../results/result.ts';

/**
 * Whether nothing has to be compared, because the screenshot, and that with the settings of the base, equal the
 * baseline, and assistive technology is told the same, as far as that is known.
 */
export const isAsBaseline = (
  { currentFile, baseFile, heardFile }: Pick<PageResult, 'currentFile' | 'baseFile' | 'heardFile'>,
  baseline: { filePath: string; heardFile: string | null },
): boolean => {
  const isHeard = heardFile === null || baseline.heardFile === null || heardFile === baseline.heardFile;
  return isHeard && currentFile === baseline.filePath && (baseFile === null || baseFile === baseline.filePath);
};
