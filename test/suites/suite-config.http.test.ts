import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openApiDocument } from '../../src/api/openapi.ts';
import { ROUTES } from '../../src/api/routes.ts';
import type { SettingValue } from '../../src/suites/config-field.ts';
import { DEFAULT_CONFIG, SUITE_CONFIG } from '../../src/suites/suite-config.ts';
import type { Account, TestApi } from '../support/api-client.ts';
import { startTestApi } from '../support/api-client.ts';
import { send } from '../web/suites-fixture.ts';

type Json = Record<string, any>;

let api: TestApi;
let owner: Account;
let id: string;
let page: string;
beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
  const suite = await api.request('POST', '/api/test-suites', {
    token: owner.token,
    body: { name: 'Docs', baseUrl: 'http://site.test' },
  });
  id = suite.body.id;
  page = (await api.request('GET', `/suites/${id}/settings`, { token: owner.token })).body;
});
afterAll(() => api.stop());

const { schemas }: Json = openApiDocument(ROUTES, { publicUrl: 'http://localhost:3000' })['components'] as Json;

/** `crawlOptions.timeout` and a value as the body has them. */
const nested = (path: string, value: unknown): unknown =>
  path
    .split('.')
    .toReversed()
    .reduce((inner, name) => ({ [name]: inner }), value);

const valueAt = (root: Json, path: string): any => path.split('.').reduce<any>((value, name) => value[name], root);

function schemaAt(
  path: string,
  [name = '', ...rest] = path.split('.'),
  schema: Json = schemas.TestSuiteConfigInput,
): Json {
  const found: Json = schema['properties'][name];
  return rest.length === 0 ? found : schemaAt(path, rest, found['anyOf'][0]);
}

/** What is just within the bounds, and what is just beyond them. */
function samples({ control, value }: SettingValue): { inside: unknown[]; outside: unknown[] } {
  switch (control.kind) {
    case 'number': {
      const decimals = control.whole ? [control.min + 0.5] : [];
      return { inside: [control.min, control.max], outside: [control.min - 1, control.max + 1, 'x', ...decimals] };
    }
    case 'choice':
      return { inside: control.options.map((option) => option.value), outside: ['', 'x'] };
    case 'switch':
      return { inside: [true, false], outside: ['yes', 1] };
    case 'line':
      return { inside: ['x', 'x'.repeat(control.maxLength)], outside: ['', 'x'.repeat(control.maxLength + 1), 'é'] };
    case 'text':
      return { inside: ['', 'a\nb'], outside: [1] };
    case 'editor':
      return { inside: [value], outside: [[], 'x', {}] };
  }
}

/** The control's opening tag on the settings page, with all that is in a select or a text area. */
function controlOf(path: string): string {
  const [control = ''] =
    new RegExp(`<(input|select|textarea)[^>]* name="${path}"[^>]*>([\\s\\S]*?(?=</\\1>))?`).exec(page) ?? [];
  return control;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;').replaceAll('=', '&#x3D;');

const SETTINGS = SUITE_CONFIG.settings('config', DEFAULT_CONFIG).map((setting): [string, SettingValue] => [
  setting.path.replace('config.', ''),
  setting,
]);

describe.each(SETTINGS)('the configuration field %s', (path, setting) => {
  const patch = async (value: unknown) =>
    api.request('PATCH', `/api/test-suites/${id}`, { token: owner.token, body: { config: nested(path, value) } });

  it('is taken within its bounds, and is back at its default with null', async () => {
    for (const value of samples(setting).inside) {
      const { status, body } = await patch(value);
      expect([status, valueAt(body.config, path)]).toEqual([200, value]);
    }
    expect(valueAt((await patch(null)).body.config, path)).toEqual(setting.value);
  });

  it('is refused beyond its bounds, by its path', async () => {
    for (const value of samples(setting).outside) {
      const { status, body } = await patch(value);
      expect(status).toBe(400);
      expect(body.details.issues[0].path).toBe(setting.path);
    }
  });

  it('is documented with its words, its bounds and its default', () => {
    const schema = schemaAt(path);
    expect(schema).toMatchObject({ description: setting.description, default: setting.value });
    if (setting.control.kind !== 'number') return;
    const { min: minimum, max: maximum, whole } = setting.control;
    expect(schema['anyOf'][0]).toMatchObject({ type: whole ? 'integer' : 'number', minimum, maximum });
  });

  it('has a control on the settings page, with its words, its bounds and its default', () => {
    const { control, label, description, value } = setting;
    expect(page).toContain(escaped(description));
    if (control.kind === 'editor') return;
    expect(page).toContain(`">${escaped(label)}`);
    const element = controlOf(setting.path);
    switch (control.kind) {
      case 'number':
        expect(element).toContain(` min="${control.min}" max="${control.max}"`);
        expect(element).toContain(` value="${String(value)}"`);
        break;
      case 'choice':
        for (const option of control.options) expect(element).toContain(`value="${option.value}"`);
        expect(element).toContain(`value="${String(value)}" selected`);
        break;
      case 'switch':
        expect(element.includes(' checked')).toBe(value);
        break;
      case 'line':
        expect(element).toContain(` maxlength="${control.maxLength}"`);
        expect(element).toContain(` value="${String(value)}"`);
        break;
      case 'text':
        expect(element.endsWith(`>\n${String(value)}`)).toBe(true);
        break;
    }
  });

  it('is saved from the settings page', async () => {
    const { control, value } = setting;
    if (control.kind === 'editor') return;
    const other = samples(setting).inside.find((sample) => sample !== value);
    const typed =
      control.kind === 'switch' ? (other === true ? { [setting.path]: 'on' } : {}) : { [setting.path]: String(other) };
    const form = { name: 'Docs', baseUrl: 'http://site.test', ...typed };
    expect((await send(api, `/suites/${id}/settings`, form, owner)).status).toBe(303);
    const { body } = await api.request('GET', `/api/test-suites/${id}`, { token: owner.token });
    expect(valueAt(body.config, path)).toEqual(other);
  });
});

describe('the configuration as a whole', () => {
  it('is sent, refused and answered field by field', () => {
    expect(schemas.TestSuiteConfigInput.additionalProperties).toBe(false);
    expect(Object.keys(schemas.TestSuiteConfig.properties)).toEqual(Object.keys(SUITE_CONFIG.fields));
    expect(schemas.TestSuiteConfig.required).toEqual(Object.keys(SUITE_CONFIG.fields));
  });
});
