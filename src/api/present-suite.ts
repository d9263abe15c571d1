import { CONFIG_FILE } from '../suites/config-file/config-file.ts';
import { lockedSettings } from '../suites/config-file/locked-settings.ts';
import type { SuiteForViewer } from '../suites/suite.ts';

/** A suite as the API names its parts. */
export function presentSuite(suite: SuiteForViewer) {
  const file = suite.configFile;
  if (file === null) return { ...suite, configFile: null };
  const settings = lockedSettings(file).map((each) => ({ ...each, path: `config.${each.path}` }));
  return { ...suite, configFile: { ...file, path: CONFIG_FILE, settings } };
}
