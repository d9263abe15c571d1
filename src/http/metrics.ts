import type { RequestHandler } from 'express';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { millisecondsSince } from './access-log.ts';

/** What a worker thread saw, as it comes in a message; a name that is not known is dropped. */
type MetricMessage = { name: string; labels: Record<string, string>; value: number };

export type Metrics = {
  /** Adds one observation; `value` is seconds for a name that ends in `_seconds`, a count else. */
  record(message: MetricMessage): void;
  /** Times every request by the template that answered it. */
  observe: RequestHandler;
  /** GET /metrics, in Prometheus' text format. */
  expose: RequestHandler;
};

const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WORK_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const RUN_SECONDS = [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200];

type Measured = { name: string; help: string; labels: string[]; buckets?: number[] };

/** By the name in the message (`Measure` in context.ts): seconds have buckets, the rest is counted. */
const MEASURED: Record<string, Measured> = {
  jobs: { name: 'pixelgate_jobs_total', help: 'Finished jobs', labels: ['job', 'outcome'] },
  job_seconds: {
    name: 'pixelgate_job_duration_seconds',
    help: 'Duration of jobs',
    labels: ['job', 'outcome'],
    buckets: WORK_SECONDS,
  },
  runs: { name: 'pixelgate_runs_total', help: 'Finished runs', labels: ['status'] },
  run_seconds: {
    name: 'pixelgate_run_duration_seconds',
    help: 'Duration of runs',
    labels: ['status'],
    buckets: RUN_SECONDS,
  },
  captures: { name: 'pixelgate_captures_total', help: 'Captures of a page at a viewport', labels: ['outcome'] },
  capture_seconds: {
    name: 'pixelgate_capture_duration_seconds',
    help: 'Duration of captures of a page at a viewport, with all screenshots that it took',
    labels: ['outcome'],
    buckets: WORK_SECONDS,
  },
  comparisons: { name: 'pixelgate_comparisons_total', help: 'Comparisons of two screenshots', labels: ['outcome'] },
  comparison_seconds: {
    name: 'pixelgate_comparison_duration_seconds',
    help: 'Duration of comparisons of two screenshots',
    labels: ['outcome'],
    buckets: WORK_SECONDS,
  },
};

type Recorder = (labels: Record<string, string>, value: number) => void;

function recorder(registry: Registry, { name, help, labels: labelNames, buckets }: Measured): Recorder {
  const settings = { name, help, labelNames, registers: [registry] };
  const known = (labels: Record<string, string>) =>
    Object.fromEntries(labelNames.map((label) => [label, labels[label] ?? 'unknown']));
  if (buckets === undefined) {
    const counter = new Counter(settings);
    return (labels, value) => counter.inc(known(labels), value);
  }
  const histogram = new Histogram({ ...settings, buckets });
  return (labels, value) => histogram.observe(known(labels), value);
}

function observer(registry: Registry): RequestHandler {
  const seconds = new Histogram({
    name: 'pixelgate_http_request_duration_seconds',
    help: 'Duration of requests, by method, route template and status',
    labelNames: ['method', 'route', 'status'],
    buckets: HTTP_SECONDS,
    registers: [registry],
  });
  return (req, res, next) => {
    const startedAt = process.hrtime.bigint();
    res.on('close', () => {
      const labels = { method: req.method, route: res.locals.route ?? 'other', status: String(res.statusCode) };
      seconds.observe(labels, millisecondsSince(startedAt) / 1000);
    });
    next();
  };
}

function watchQueue(registry: Registry, queueDepth: () => Promise<Record<string, number>>): void {
  const gauge = new Gauge({
    name: 'pixelgate_queue_jobs',
    help: 'Jobs in the queue, by state',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      gauge.reset();
      // Without a database there is no depth to tell; the rest of the metrics is wanted then more than ever.
      const depth = await queueDepth().catch(() => ({}));
      for (const [state, jobs] of Object.entries(depth)) gauge.set({ state }, jobs);
    },
  });
}

/**
 * The process's metrics, in a registry of their own.
 * @param queueDepth jobs by state (`ready`, `running`, …), asked for at every scrape
 */
export function createMetrics(queueDepth: () => Promise<Record<string, number>>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  watchQueue(registry, queueDepth);
  const byName = new Map(Object.entries(MEASURED).map(([name, measured]) => [name, recorder(registry, measured)]));
  return {
    record: ({ name, labels, value }) => byName.get(name)?.(labels, value),
    observe: observer(registry),
    async expose(_req, res) {
      const text = await registry.metrics();
      res.setHeader('Content-Type', registry.contentType);
      res.setHeader('Cache-Control', 'no-store');
      res.send(text);
    },
  };
}
