import { z } from 'zod';
import { FAILURE_CODES } from '../net/failure-code.ts';

const WORK_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const RUN_SECONDS = [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200];

/** `name` is the one in `/metrics`. With `buckets` a metric is a histogram of seconds, without them it is a counter. */
type Metric = { name: string; help: string; labels: z.ZodObject; buckets?: number[] };

const JobLabels = z.object({ job: z.string(), outcome: z.enum(['done', 'failed', 'returned']) });
const RunLabels = z.object({ status: z.string() });
const VerdictLabels = z.object({ type: z.enum(['MANUAL', 'BRANCH', 'PR']) });
const ComparisonLabels = z.object({ outcome: z.string() });

/** What workers measure. All names and labels are in this table. */
export const METRICS = {
  jobs: { name: 'pixelgate_jobs_total', help: 'Finished jobs', labels: JobLabels },
  job_seconds: {
    name: 'pixelgate_job_duration_seconds',
    help: 'Duration of jobs',
    labels: JobLabels,
    buckets: WORK_SECONDS,
  },
  runs: { name: 'pixelgate_runs_total', help: 'Finished runs', labels: RunLabels },
  run_seconds: {
    name: 'pixelgate_run_duration_seconds',
    help: 'Duration of runs',
    labels: RunLabels,
    buckets: RUN_SECONDS,
  },
  verdict_seconds: {
    name: 'pixelgate_verdict_seconds',
    help: 'Time from when a run was asked for until it has an outcome, with all waiting, by the type of the run',
    labels: VerdictLabels,
    buckets: RUN_SECONDS,
  },
  captures: {
    name: 'pixelgate_captures_total',
    help: 'Captures of a page at a viewport',
    labels: z.object({
      outcome: z.enum(['new', 'same', 'differs', 'error', 'control', 'control_failed', 'control_proven', 'proven']),
    }),
  },
  capture_errors: {
    name: 'pixelgate_capture_errors_total',
    help: 'Captures that failed, by cause',
    labels: z.object({ cause: z.enum(FAILURE_CODES) }),
  },
  engine_captures: {
    name: 'pixelgate_engine_captures_total',
    help: 'Captures of a page, by the browser that made them. If there is more than one, differences can come from the browser.',
    labels: z.object({ engine: z.string() }),
  },
  capture_seconds: {
    name: 'pixelgate_capture_duration_seconds',
    help: 'Duration of captures of a page at a viewport, with all screenshots that it took',
    labels: z.object({ outcome: z.literal('captured') }),
    buckets: WORK_SECONDS,
  },
  comparisons: {
    name: 'pixelgate_comparisons_total',
    help: 'Comparisons of two screenshots',
    labels: ComparisonLabels,
  },
  comparison_seconds: {
    name: 'pixelgate_comparison_duration_seconds',
    help: 'Duration of comparisons of two screenshots',
    labels: ComparisonLabels,
    buckets: WORK_SECONDS,
  },
  swept: {
    name: 'pixelgate_swept_total',
    help: 'What retention removed, by kind',
    labels: z.object({ kind: z.enum(['run', 'object']) }),
  },
} satisfies Record<string, Metric>;

/** What is read at each scrape. `label`: what its values are told apart by; null if there is only one. */
export const GAUGES = {
  queue_jobs: { name: 'pixelgate_queue_jobs', help: 'Jobs in the queue, by state', label: 'state' },
  queue_screenshots: {
    name: 'pixelgate_queue_screenshots',
    help: 'Screenshots of runs that wait or are worked on, by state',
    label: 'state',
  },
  queue_age: {
    name: 'pixelgate_queue_age_seconds',
    help: 'How long the oldest job that could run has waited',
    label: null,
  },
  workers_wanted: {
    name: 'pixelgate_workers_wanted',
    help: 'How many processes like this one the work in the queue would keep busy',
    label: null,
  },
  webhook_lag: {
    name: 'pixelgate_webhook_lag_seconds',
    help: 'How long the oldest webhook delivery that has not been handled has waited',
    label: null,
  },
  storage_bytes: {
    name: 'pixelgate_storage_bytes',
    help: 'Used and free space of the file system that holds the images',
    label: 'state',
  },
  database_bytes: { name: 'pixelgate_database_bytes', help: 'Size of the database', label: null },
} satisfies Record<string, { name: string; help: string; label: string | null }>;

export type GaugeName = keyof typeof GAUGES;

/** What gauges show now: a value, or one for each value of the label. */
export type Readings = Partial<Record<GaugeName, number | Readonly<Record<string, number>>>>;

const isGaugeName = (name: string): name is GaugeName => Object.hasOwn(GAUGES, name);

export const GAUGE_NAMES: readonly GaugeName[] = Object.keys(GAUGES).filter(isGaugeName);

export type MetricName = keyof typeof METRICS;

/** Reports a number for `/metrics`: seconds for a histogram, a count for a counter. */
export type Measure = <N extends MetricName>(
  name: N,
  labels: z.output<(typeof METRICS)[N]['labels']>,
  value: number,
) => void;

/** What a worker thread posts to its process. */
export type MetricMessage = { type: 'metric'; name: MetricName; labels: Record<string, string>; value: number };

const isMetricName = (name: string): name is MetricName => Object.hasOwn(METRICS, name);

export const METRIC_NAMES: readonly MetricName[] = Object.keys(METRICS).filter(isMetricName);

const Posted = z.object({ type: z.literal('metric'), name: z.string(), labels: z.unknown(), value: z.number() });

/** Null: not a metric of this version. */
export function parseMetric(message: unknown): MetricMessage | null {
  const posted = Posted.safeParse(message);
  if (!posted.success || !isMetricName(posted.data.name)) return null;
  const { type, name, value } = posted.data;
  const labels = METRICS[name].labels.safeParse(posted.data.labels);
  return labels.success ? { type, name, labels: labels.data, value } : null;
}
