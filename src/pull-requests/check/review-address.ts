/** The address of a run's page, where people review it. */
export function runAddress(publicUrl: string, runId: string): string {
  return `${publicUrl}/runs/${runId}`;
}

/** The address of one result's page in that run. */
export function resultAddress(publicUrl: string, runId: string, resultId: string): string {
  return `${runAddress(publicUrl, runId)}/results/${resultId}`;
}

/** The addresses of a suite's page, its settings, and its setup doctor. */
export function suiteAddresses(
  publicUrl: string,
  suiteId: string,
): { suite: string; settings: string; doctor: string } {
  const suite = `${publicUrl}/suites/${suiteId}`;
  return { suite, settings: `${suite}/settings`, doctor: `${suite}/repository?look=doctor` };
}
