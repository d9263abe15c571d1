import type { Crop } from '../../review/changes/change-group.ts';

/** The links of a summary. The caller builds them, as they depend on the configuration. */
export type CheckLinks = {
  run: string;
  /** The suite's page. */
  suite: string;
  /** The suite's settings. */
  settings: string;
  /** What passes the walls of the suite's site. */
  access: string;
  /** The setup doctor. */
  doctor: string;
  resultUrl: (resultId: string) => string;
  /** Null if GitHub can't fetch images, or must not. */
  cropUrl: (crop: Crop) => string | null;
};

/** The address of a run's page, where people review it. */
export function runAddress(publicUrl: string, runId: string): string {
  return `${publicUrl}/runs/${runId}`;
}

/** The address of one result's page in that run. */
export function resultAddress(publicUrl: string, runId: string, resultId: string): string {
  return `${runAddress(publicUrl, runId)}/results/${resultId}`;
}

/** The addresses of a suite's page, its settings, site access, and setup doctor. */
export function suiteAddresses(
  publicUrl: string,
  suiteId: string,
): Pick<CheckLinks, 'suite' | 'settings' | 'access' | 'doctor'> {
  const suite = `${publicUrl}/suites/${suiteId}`;
  return { suite, settings: `${suite}/settings`, access: `${suite}/access`, doctor: `${suite}/repository?look=doctor` };
}
