/** The first seven digits, as GitHub shows a commit. */
export function shortSha(sha: string): string {
  return sha.slice(0, 7);
}
