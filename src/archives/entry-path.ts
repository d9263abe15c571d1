import { refused, shownPath } from './archive.ts';

const MAX_LENGTH = 1024;

/**
 * The path of an archive's entry, without `./` and a slash at the end. Empty: the directory itself.
 * @throws AppError `archive_refused` (422) when it leads out of the directory.
 */
export function entryPath(path: string): string {
  const bad = path.startsWith('/') || /[\0\\]/.test(path) || /^[A-Za-z]:/.test(path) || path.length > MAX_LENGTH;
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (bad || segments.includes('..')) throw refused(`${shownPath(path)} is not a path inside the directory`);
  return segments.join('/');
}
