import type { PageResult } from '../results/result.ts';

/**
 * Whether nothing has to be compared, because the screenshot, and that with the settings of the base, equal the
 * baseline.
 */
export const isAsBaseline = (
  { currentFile, baseFile }: Pick<PageResult, 'currentFile' | 'baseFile'>,
  { filePath }: { filePath: string },
): boolean => currentFile === filePath && (baseFile === null || baseFile === filePath);
