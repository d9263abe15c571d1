/** Where people look at a run, and decide on it. */
export function runAddress(publicUrl: string, runId: string): string {
  return `${publicUrl}/runs/${runId}`;
}

/** The same, open at one result. */
export function resultAddress(publicUrl: string, runId: string, resultId: string): string {
  return `${runAddress(publicUrl, runId)}/results/${resultId}`;
}
