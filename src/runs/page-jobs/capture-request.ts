import type { Baseline } from '../../baselines/baseline.ts';
import type { CaptureRequest } from '../../capture/browser/capture-request.ts';
import { sha256InName } from '../../storage/object-name.ts';
import { settingsForPage } from '../../suites/config/page-rule.ts';
import type { PageResult } from '../results/result.ts';
import type { Run } from '../run.ts';

/** What a capture needs to know about the baseline. */
type Reference = Pick<Baseline, 'filePath' | 'atRest' | 'captureWay' | 'heardFile'>;

function toBaseline(baseline: Reference | null): CaptureRequest['baseline'] {
  const sha256 = baseline === null ? null : sha256InName(baseline.filePath);
  if (baseline === null || sha256 === null) return null;
  const heard = baseline.heardFile === null ? null : sha256InName(baseline.heardFile);
  return { sha256, atRest: baseline.atRest, way: baseline.captureWay, heard };
}

/**
 * When a capture reads what assistive technology is told. `learns`: it is of the suite's own site, and also reads that
 * for a baseline of which it is not known yet.
 */
export function hearingOf(
  { accessibility }: Pick<Run['config'], 'accessibility'>,
  baseline: Pick<Baseline, 'heardFile'> | null,
  { learns }: { learns: boolean },
): Pick<CaptureRequest, 'heard'> {
  if (accessibility === 'off') return {};
  const isUnknown = learns && baseline !== null && baseline.heardFile === null;
  return { heard: accessibility === 'all' || isUnknown ? 'always' : 'differs' };
}

/** How to capture this page, by the run's configuration and its rules. */
export function captureRequest(
  { config, ...run }: Pick<Run, 'id' | 'config'>,
  { url, path, viewport: name }: Pick<PageResult, 'url' | 'path' | 'viewport'>,
  baseline: Reference | null,
): CaptureRequest {
  const viewport = config.viewports.find((each) => each.name === name);
  if (viewport === undefined) throw new Error(`Run ${run.id} has no viewport ${name}`);
  const own = settingsForPage(config, { path, viewport: name });
  return {
    url,
    viewport,
    waitStrategy: config.waitStrategy,
    waitTime: own.waitTime,
    fullPage: config.fullPage,
    customCss: config.customCss,
    timeout: config.crawlOptions.timeout,
    settle: config.settle,
    looksBeyond: true,
    emulation: {
      colorScheme: config.colorScheme,
      locale: config.locale,
      timezone: config.timezone,
      reducedMotion: config.reducedMotion,
    },
    clock: config.clock,
    seedRandom: config.seedRandom,
    blockHosts: config.blockHosts,
    rules: {
      hide: own.hide,
      remove: own.remove,
      mask: own.mask,
      ignore: own.ignore,
      waitFor: own.waitFor,
      actions: own.actions,
      css: own.css,
    },
    preview: null,
    serviceWorkers: config.serviceWorkers,
    site: null,
    baseline: toBaseline(baseline),
    access: null,
  };
}
