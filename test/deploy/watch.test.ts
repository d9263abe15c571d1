import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createMetrics } from '../../src/http/metrics.ts';
import { GAUGE_NAMES, GAUGES, METRIC_NAMES, METRICS } from '../../src/queue/metric.ts';
import { readText, readYaml } from './read-deploy.ts';

const Target = z.looseObject({ refId: z.string(), expr: z.string(), legendFormat: z.string() });
const Dashboard = z.looseObject({
  title: z.literal('Pixelgate'),
  uid: z.string(),
  panels: z.array(
    z.looseObject({
      id: z.int(),
      title: z.string(),
      description: z.string(),
      gridPos: z.strictObject({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
      targets: z.array(Target).min(1),
    }),
  ),
});
const Rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Pixelgate[A-Z]\w+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[mh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.strictObject({ summary: z.string(), description: z.string() }),
        }),
      ),
    }),
  ),
});

const dashboard = Dashboard.parse(JSON.parse(readText('deploy/grafana-dashboard.json')));
const rules = Rules.parse(readYaml('deploy/alert-rules.yaml')[0]).groups.flatMap((group) => group.rules);
const expressions = [
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ of: title, expr }))),
  ...rules.map(({ alert, expr }) => ({ of: alert, expr })),
];

type Known = { labels: readonly string[]; values: Record<string, readonly string[]> };

/** Every series that `/metrics` has, by its name, with its labels and those of their values that are a fixed list. */
async function readSeries(): Promise<Map<string, Known>> {
  let text = '';
  const res = { setHeader: () => {}, send: (sent: string) => (text = sent) };
  const { expose } = createMetrics([]);
  await Reflect.apply(expose, undefined, [{}, res, () => {}]);
  const series = new Map<string, Known>();
  const add = (name: string, labels: readonly string[], values: Known['values'] = {}, isHistogram = false) => {
    series.set(name, { labels, values });
    if (!isHistogram) return;
    for (const part of ['_count', '_sum']) series.set(name + part, { labels, values });
    series.set(`${name}_bucket`, { labels: [...labels, 'le'], values });
  };
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) add(name, [], {}, type === 'histogram');
  const http = 'pixelgate_http_request_duration_seconds';
  add(http, ['method', 'route', 'status'], {}, true);
  for (const each of METRIC_NAMES) {
    const { name, labels, ...more } = METRICS[each];
    const values = Object.entries(labels.shape).flatMap(([label, shape]) =>
      shape instanceof z.ZodEnum ? [[label, shape.options.map(String)]] : [],
    );
    add(name, Object.keys(labels.shape), Object.fromEntries(values), 'buckets' in more);
  }
  for (const each of GAUGE_NAMES) {
    const { name, label } = GAUGES[each];
    add(name, label === null ? [] : [label]);
  }
  return series;
}

const SERIES = /\b((?:pixelgate|nodejs|process)_\w+)(?:\{([^}]*)\})?/g;
const MATCHER = /(\w+)(=~|!~|!=|=)"([^"]*)"/g;

describe('the dashboard and the alerts', () => {
  it('ask for metrics and labels that there are', async () => {
    const series = await readSeries();
    const problems = expressions.flatMap(({ of, expr }) => {
      const used = [...expr.matchAll(SERIES)];
      if (used.length === 0) return [`${of}: asks for nothing`];
      return used.flatMap(([, name = '', matchers = '']) => {
        const known = series.get(name);
        if (known === undefined) return [`${of}: there is no ${name}`];
        return [...matchers.matchAll(MATCHER)].flatMap(([, label = '', operator, value = '']) => {
          if (!known.labels.includes(label)) return [`${of}: ${name} has no label ${label}`];
          const values = known.values[label];
          const asked = operator === '=~' ? value.split('|') : [value];
          if (values === undefined || operator === '!~') return [];
          return asked.filter((each) => !values.includes(each)).map((each) => `${of}: ${label} is never ${each}`);
        });
      });
    });
    expect(problems).toEqual([]);
  });

  it('group by labels that a metric of the expression has', async () => {
    const series = await readSeries();
    for (const { of, expr } of expressions) {
      const labels = [...expr.matchAll(SERIES)].flatMap(([, name = '']) => series.get(name)?.labels ?? []);
      const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '));
      expect({ of, unknown: grouped.filter((label) => !labels.includes(label)) }).toEqual({ of, unknown: [] });
    }
  });

  it('have their brackets closed', () => {
    for (const { of, expr } of expressions) {
      expect([of, expr.split('(').length]).toEqual([of, expr.split(')').length]);
      expect([of, expr.split('{').length]).toEqual([of, expr.split('}').length]);
    }
  });

  it('cover what an operator alerts on', () => {
    const watched = [
      GAUGES.queue_age,
      GAUGES.webhook_lag,
      GAUGES.workers_wanted,
      GAUGES.storage_bytes,
      METRICS.captures,
      METRICS.capture_errors,
      METRICS.verdict_seconds,
    ];
    const inAlerts = rules.map(({ expr }) => expr).join('\n');
    const inPanels = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n');
    for (const { name } of watched) {
      expect(inAlerts).toContain(name);
      expect(inPanels).toContain(name);
    }
  });
});

describe('the dashboard', () => {
  it('has panels of their own id that do not overlap', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.map(({ gridPos: { x, y } }) => `${x},${y}`);
    expect(new Set(cells).size).toBe(panels.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });
});
