import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openApiDocument } from '../../../src/api/document/openapi.ts';
import { ROUTES } from '../../../src/api/route-list.ts';
import type { SettingValue } from '../../../src/suites/config/config-field.ts';
import { DEFAULT_CONFIG, SUITE_CONFIG } from '../../../src/suites/config/suite-config.ts';
import { startTestApi, type Account, type TestApi } from '../../support/api-client.ts';
import { postForm } from '../../support/web-form.ts';

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

/** The body that sets the field at a path such as `crawlOptions.timeout`. */
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

/** Values that the editors' settings refuse. */
const EDITED = {
  viewports: [[], 'x', {}],
  autoTrack: ['some', 1, {}, { paths: [] }, { paths: ['/'], limit: 0 }],
  clock: ['x', {}, { mode: 'fixed', at: 'tomorrow' }],
  preview: [
    'x',
    { environment: 1 },
    { environment: '' },
    { url: '/x' },
    { url: 'https://{x}.test' },
    { branch: ['x'] },
  ],
  rules: ['x', {}, [{}], [{ paths: [] }], [{ paths: ['/'], hide: 'x' }]],
};

/** Values just within the bounds, and values just beyond them. */
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
    case 'term':
      return { inside: [control.example], outside: ['', 'x y', 1] };
    case 'lines':
      return {
        inside: [control.least === 0 ? [] : ['a'], ['a', 'b']],
        outside: ['a', [''], Array.from({ length: control.most + 1 }, String)],
      };
    case 'editor':
      return { inside: [value], outside: EDITED[control.editor] };
  }
}

/** What the document says about the bounds of a value. */
function documentedBounds({ control }: SettingValue): Json {
  if (control.kind === 'choice') return { enum: control.options.map((option) => option.value) };
  if (control.kind !== 'number') return {};
  return { type: control.whole ? 'integer' : 'number', minimum: control.min, maximum: control.max };
}

/** Parts of the HTML that the control of a setting must contain. */
function printedControl({ control, value }: SettingValue): string[] {
  switch (control.kind) {
    case 'number':
      return [` min="${control.min}" max="${control.max}"`, ` value="${String(value)}"`];
    case 'choice':
      return [
        ...control.options.map((option) => `<option value="${option.value}"`),
        `value="${String(value)}" selected>${control.options.find((option) => option.value === value)?.label}`,
      ];
    case 'switch':
      return [value === true ? ' checked ' : ' value="on" aria'];
    case 'line':
    case 'term':
      return [` maxlength="${control.maxLength}"`, ` value="${String(value)}"`];
    case 'lines':
      return [` placeholder="${control.placeholder}"`];
    case 'text':
      return [`>\n${String(value)}`];
    case 'editor':
      return [];
  }
}

/** The control's opening tag on the settings page, and the content of a select or a text area. */
function controlOf(path: string): string {
  const control = new RegExp(`<(input|select|textarea)[^>]* name="${path}"[^>]*>([\\s\\S]*?(?=</\\1>))?`);
  return control.exec(page)?.[0] ?? '';
}

/** A form with only this value. A check box that is not checked sends nothing. */
function typed({ path }: SettingValue, value: unknown): Record<string, string> {
  if (value === false) return {};
  return { [path]: value === true ? 'on' : String(value) };
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;').replaceAll('=', '&#x3D;');

const named = (settings: SettingValue[]) =>
  settings.map((setting): [string, SettingValue] => [setting.path.replace('config.', ''), setting]);

const SETTINGS = SUITE_CONFIG.settings('config', DEFAULT_CONFIG);

describe.each(named(SETTINGS))('the configuration field %s', (path, setting) => {
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
      // Of a list, the path may lead to the item.
      expect([status, `${body.details.issues[0].path}.`.startsWith(`${setting.path}.`)]).toEqual([400, true]);
    }
  });

  it('is documented with its words, its bounds and its default', () => {
    const schema = schemaAt(path);
    expect(schema).toMatchObject({ description: setting.description, default: setting.value });
    expect(schema['anyOf']?.[0] ?? {}).toMatchObject(documentedBounds(setting));
  });

  it('has its words and its default on the settings page', () => {
    expect(page).toContain(escaped(setting.label));
    expect(page).toContain(escaped(setting.description));
  });
});

const ELEMENTS = SETTINGS.filter(({ control }) => control.kind !== 'editor');

describe.each(named(ELEMENTS))('the control of %s on the settings page', (path, setting) => {
  it('has its bounds and its default', () => {
    const control = controlOf(setting.path);
    for (const printed of printedControl(setting)) expect(control).toContain(printed);
  });

  it('is saved', async () => {
    const other = samples(setting).inside.find((sample) => sample !== setting.value);
    const form = { name: 'Docs', baseUrl: 'http://site.test', ...typed(setting, other) };
    expect((await postForm(api, `/suites/${id}/settings`, form, owner)).status).toBe(303);
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
