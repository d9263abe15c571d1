/** The address of a run's page, where people review it. */
export function runAddress(publicUrl: string, runId: string): string {
  return `${publicUrl}/runs/${runId}`;
}

/** The address of one result's page in that run. */
export function resultAddress(publicUrl: string, runId: string, resultId: string): string {
  return `${runAddress(publicUrl, runId)}/results/${resultId}`;
}

/** The address of a suite's settings. */
export function settingsAddress(publicUrl: string, suiteId: string): string {
  return `${publicUrl}/suites/${suiteId}/settings`;
}
