import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ROUTES, type Route } from '../../src/api/route-list.ts';
import { setStage, type Stage } from '../api/fixture.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';

/* Every operation of the API with hostile values in every place of its input: each is an answer, and none a fault of ours. */

const LONG_MS = 1_800_000;

let api: TestApi;
let owner: Account;
let stage: Stage;
beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
}, LONG_MS);
afterAll(async () => api.stop());

type Schema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  minimum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
};

const JsonSchema: z.ZodType<Schema> = z.looseObject({});

const toSchema = (schema: z.ZodType | undefined): Schema =>
  schema === undefined ? {} : JsonSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));

const UUID = '00000000-0000-4000-8000-000000000000';

/** A value that the schema may well take, with every field that it knows. */
function example(schema: Schema): unknown {
  const [alternative] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (alternative !== undefined) return example(alternative);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, part]) => [name, example(part)]));
    case 'array':
      return schema.items === undefined ? [] : [example(schema.items)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'string':
      if (schema.format === 'uuid') return UUID;
      if (schema.format === 'date-time') return '2030-01-01T00:00:00.000Z';
      if (schema.format === 'uri') return 'https://example.com/';
      return schema.format === 'email' ? 'somebody@example.com' : 'x';
    default:
      return null;
  }
}

const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const LONG = 'a'.repeat(100_000);

/** As JSON, because some can't be written otherwise. */
const HOSTILE = [
  'null',
  'true',
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"\\ud83d\\ude00\\u202e\\u0301"',
  '"../../../etc/passwd"',
  `"'; drop table users; --"`,
  '"%"',
  '"__proto__"',
  '"1e1"',
  `"${UUID.toUpperCase()}"`,
  '"http://[::ffff:169.254.169.254]/"',
  '"javascript:alert(1)"',
  '"9999-12-31T23:59:59.999Z"',
  '"-271821-04-20T00:00:00.000Z"',
  '"+275760-09-13T00:00:00.000Z"',
  `"${LONG}"`,
  '-1',
  '0.1',
  '1e400',
  '9007199254740993',
  '2147483648',
  '[]',
  '{}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  deep(5000),
  `[${'0,'.repeat(30_000)}0]`,
];

/** The object with that JSON in the place of one field, at any depth. */
function* withHostile(value: unknown): Generator<string> {
  yield* HOSTILE;
  if (typeof value !== 'object' || value === null) return;
  const entries = Object.entries(value);
  const write = (name: string, json: string) => {
    const parts = entries.map(([key, part]) => (key === name ? json : JSON.stringify(part)));
    if (Array.isArray(value)) return `[${parts.join()}]`;
    return `{${entries.map(([key], index) => `${JSON.stringify(key)}:${parts[index]}`).join()}}`;
  };
  for (const [name, part] of entries) for (const json of withHostile(part)) yield write(name, json);
}

/** With IDs that there are. */
function fillIn(path: string): string {
  const ids: Record<string, string> = {
    pageId: stage.pageId,
    grantId: stage.grantId,
    resultId: stage.changed.id,
    id: path.startsWith('/test-runs') ? stage.runId : path.startsWith('/baselines') ? stage.baselineId : stage.suite.id,
  };
  return `/api${path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? UUID)}`;
}

type Told = { method: string; address: string; body: string; status: number };

async function send({ method }: Route, address: string, body?: string): Promise<Told> {
  const response = await fetch(api.url + address, {
    method: method.toUpperCase(),
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${owner.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body ?? null,
  });
  await response.arrayBuffer();
  return { method, address: address.slice(0, 200), body: (body ?? '').slice(0, 300), status: response.status };
}

/** 503: the service can't do it, such as to reach GitHub. */
const isFault = ({ status }: Told) => status >= 500 && status !== 503;

const HOSTILE_TEXTS = HOSTILE.map((json) => {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : json.slice(0, 5000);
  } catch {
    return json.slice(0, 5000);
  }
}).map((text) => text.slice(0, 5000));

/** Half a surrogate pair can't be escaped. */
const escape = (text: string) => encodeURIComponent(text.replace('\ud800', '\ufffd'));

it.each(
  ROUTES.filter(({ path }) => path !== '/auth/logout').map(
    (route) => [`${route.method} ${route.path}`, route] as const,
  ),
)(
  '%s answers hostile values without a fault of ours',
  async (_name, route) => {
    stage = await setStage(api, owner, await api.account('other'));
    const faults: Told[] = [];
    const ask = async (address: string, body?: string) => {
      const told = await send(route, address, body);
      if (isFault(told)) faults.push(told);
    };
    const usual = route.body === undefined ? undefined : JSON.stringify(example(toSchema(route.body)));
    for (const part of route.path.split('/').filter((name) => name.startsWith(':'))) {
      for (const text of [...HOSTILE_TEXTS.map(escape), '%00', '%ff', '%ED%A0%80', '..%2f..']) {
        await ask(fillIn(route.path.replace(part, `@@`)).replace('@@', text || 'x'), usual);
      }
    }
    const { properties = {} } = toSchema(route.query);
    for (const name of [...Object.keys(properties), '__proto__', 'constructor']) {
      for (const text of HOSTILE_TEXTS) await ask(`${fillIn(route.path)}?${name}=${escape(text)}`, usual);
      await ask(`${fillIn(route.path)}?${name}=a&${name}=b&${name}[c]=d`, usual);
    }
    if (route.body !== undefined) {
      for (const json of withHostile(example(toSchema(route.body)))) await ask(fillIn(route.path), json);
    }
    expect(faults).toEqual([]);
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
  },
  LONG_MS,
);
