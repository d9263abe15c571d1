import { z } from 'zod';
import { MOST_KEPT } from '../../environment.ts';
import { onSuite } from '../../http/acts-on.ts';
import { readStorage, readSuiteStorage, type StorageReport } from '../../retention/read-storage.ts';
import { limitsAsked, STORED_KINDS, sumBytes, type Limits, type StoredKind } from '../../retention/stored.ts';
import { formatBytes, formatCount, formatNumber } from '../../text/format.ts';
import { typedNumber } from '../../text/typed-number.ts';
import { buildFields } from '../form-field.ts';
import { pageRoute } from '../web-route.ts';
import { atSettings, suitePage } from './suite-head.ts';

const LABELS: Record<StoredKind, string> = {
  baselines: 'Baselines and their history',
  screenshots: 'Screenshots of runs',
  diffs: 'Diff images',
  elements: 'Element maps and manifests',
  copies: 'Smaller copies',
  builds: 'Uploaded builds',
  logs: 'Logs (lines in the database)',
  left: 'About to be removed',
};

const limit = (most: number) => z.union([z.literal('').transform(() => 0), typedNumber(0, most)]).optional();

const Asked = z.object({ keepDays: limit(MOST_KEPT.days), keepRuns: limit(MOST_KEPT.runs) });

function describeLimits({ days, runs }: Limits): string {
  const some = [
    ...(days > 0 ? [`for ${formatCount(days, 'day')}`] : []),
    ...(runs > 0 ? [`up to ${formatCount(runs, 'run')} of a suite`] : []),
  ];
  return some.length === 0 ? 'without limit' : some.join(', ');
}

function showReport({ kinds, limits, frees }: Omit<StorageReport, 'countedAt'>, isAsked: boolean) {
  const fields = buildFields(
    {
      keepDays: {
        label: 'Keep runs for (days)',
        type: 'number',
        value: limits.days || null,
        attributes: { min: 0, max: MOST_KEPT.days },
      },
      keepRuns: {
        label: 'Keep newest runs',
        type: 'number',
        value: limits.runs || null,
        attributes: { min: 0, max: MOST_KEPT.runs },
      },
    },
    null,
  );
  return {
    rows: STORED_KINDS.map((kind) => ({
      label: LABELS[kind],
      amount: formatNumber(kinds[kind].count),
      size: formatBytes(kinds[kind].bytes),
    })),
    total: formatBytes(sumBytes(kinds)),
    isAsked,
    limits: describeLimits(limits),
    frees: {
      runs: formatCount(frees.runs, 'run'),
      results: formatCount(frees.results, 'result'),
      size: formatBytes(frees.bytes),
    },
    fields,
  };
}

export const getSuiteStorage = pageRoute(
  { path: '/suites/:id/storage', ...onSuite('suite.read'), query: Asked },
  async (ctx, { suite, query }) => {
    const asked = limitsAsked(query);
    const report = await readSuiteStorage(ctx, suite, asked);
    const path = `/suites/${suite.id}/storage`;
    const model = { path, countedAt: report.countedAt, ...showReport(report, asked !== null) };
    return suitePage(ctx, suite, atSettings(suite, 'site'), { view: 'suites/storage', title: 'Storage', model });
  },
);

export const getStorage = pageRoute({ path: '/storage', query: Asked }, async (ctx, { viewer, query }) => {
  const asked = limitsAsked(query);
  const report = await readStorage(ctx, viewer, asked);
  const suites = report.suites.map(({ id, name, bytes, countedAt }) => ({
    href: `/suites/${id}/storage`,
    name,
    size: formatBytes(bytes),
    countedAt,
  }));
  const model = { path: '/storage', suites, ...showReport(report, asked !== null) };
  return { kind: 'page', view: 'suites/all-storage', title: 'Storage', model };
});
