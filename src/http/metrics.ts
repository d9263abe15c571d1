import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  GAUGE_NAMES,
  GAUGES,
  METRIC_NAMES,
  METRICS,
  type GaugeName,
  type MetricMessage,
  type MetricName,
  type Readings,
} from '../queue/metric.ts';
import { millisecondsSince } from './access-log.ts';

export type Metrics = {
  /** Adds one observation of a worker. */
  record(message: MetricMessage): void;
  /** Measures the duration of every request, labeled with the route template. */
  observe: RequestHandler;
  /** GET /metrics, in Prometheus' text format. */
  expose: RequestHandler;
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

/** Shows what the readers say. What can't be read now is left out: the other metrics are needed even more then. */
function gauges(registry: Registry, readers: readonly (() => Promise<Readings>)[]): () => Promise<void> {
  const made = new Map<GaugeName, Gauge>();
  for (const name of GAUGE_NAMES) {
    const { name: shown, help, label } = GAUGES[name];
    const labelNames = label === null ? [] : [label];
    made.set(name, new Gauge({ name: shown, help, labelNames, registers: [registry] }));
  }
  const set = (name: GaugeName, reading: Readings[GaugeName]) => {
    const { label } = GAUGES[name];
    const gauge = made.get(name);
    if (typeof reading === 'number') gauge?.set(reading);
    else if (label !== null)
      for (const [value, count] of Object.entries(reading ?? {})) gauge?.set({ [label]: value }, count);
  };
  return async () => {
    const read = await Promise.all(readers.map(async (reader) => reader().catch((): Readings => ({}))));
    for (const [name, gauge] of made) {
      // A reset would show 0 where there is one value.
      if (GAUGES[name].label === null) gauge.remove();
      else gauge.reset();
    }
    for (const readings of read) for (const name of GAUGE_NAMES) set(name, readings[name]);
  };
}

/**
 * The metrics of this process, in their own registry.
 * @param readers called on every scrape
 */
export function createMetrics(readers: readonly (() => Promise<Readings>)[]): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const readGauges = gauges(registry, readers);
  const recorders = new Map(METRIC_NAMES.map((name) => [name, createRecorder(registry, name)]));
  return {
    record: ({ name, labels, value }) => recorders.get(name)?.(labels, value),
    observe: observer(registry),
    async expose(_req, res) {
      await readGauges();
      const text = await registry.metrics();
      res.setHeader('Content-Type', registry.contentType);
      res.setHeader('Cache-Control', 'no-store');
      res.send(text);
    },
  };
}
