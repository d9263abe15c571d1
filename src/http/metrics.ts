import type { RequestHandler } from 'express';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { METRICS, METRIC_NAMES } from '../metric.ts';
import type { MetricMessage, MetricName } from '../metric.ts';
import { millisecondsSince } from './access-log.ts';

export type Metrics = {
  /** Adds one observation of a worker. */
  record(message: MetricMessage): void;
  /** Measures the duration of every request, labeled with the route template. */
  observe: RequestHandler;
  /** GET /metrics, in Prometheus' text format. */
  expose: RequestHandler;
};

type Sources = {
  /** The number of jobs by state (`ready`, `running`, …). Called on every scrape. */
  queueDepth?: () => Promise<Record<string, number>>;
  /** The same for the pages of runs. */
  pageDepth?: () => Promise<Record<string, number>>;
};

const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Recorder = (labels: Record<string, string>, value: number) => void;

function createRecorder(registry: Registry, metric: MetricName): Recorder {
  const { name, help, labels, ...more } = METRICS[metric];
  const settings = { name, help, labelNames: Object.keys(labels.shape), registers: [registry] };
  if (!('buckets' in more)) {
    const counter = new Counter(settings);
    return (values, value) => counter.inc(values, value);
  }
  const histogram = new Histogram({ ...settings, buckets: more.buckets });
  return (values, value) => histogram.observe(values, value);
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

function watchDepth(
  registry: Registry,
  about: { name: string; help: string },
  readDepth: () => Promise<Record<string, number>>,
): void {
  const gauge = new Gauge({
    ...about,
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      gauge.reset();
      // Without the database the depth is unknown, and the other metrics are needed all the more.
      const depth = await readDepth().catch(() => ({}));
      for (const [state, count] of Object.entries(depth)) gauge.set({ state }, count);
    },
  });
}

/** The metrics of this process, in their own registry. */
export function createMetrics({ queueDepth, pageDepth }: Sources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const jobs = { name: 'pixelgate_queue_jobs', help: 'Jobs in the queue, by state' };
  if (queueDepth !== undefined) watchDepth(registry, jobs, queueDepth);
  const pages = {
    name: 'pixelgate_queue_screenshots',
    help: 'Screenshots of runs that wait or are worked on, by state',
  };
  if (pageDepth !== undefined) watchDepth(registry, pages, pageDepth);
  const recorders = new Map(METRIC_NAMES.map((name) => [name, createRecorder(registry, name)]));
  return {
    record: ({ name, labels, value }) => recorders.get(name)?.(labels, value),
    observe: observer(registry),
    async expose(_req, res) {
      const text = await registry.metrics();
      res.setHeader('Content-Type', registry.contentType);
      res.setHeader('Cache-Control', 'no-store');
      res.send(text);
    },
  };
}
