import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../src/api/document/openapi.ts';
import { ROUTES } from '../../src/api/route-list.ts';

let contract: Ajv2020 | undefined;

/** Made when it is first asked: files that test pages alone do without. */
function readContract(): Ajv2020 {
  if (contract !== undefined) return contract;
  // The document is no schema, so there is nothing to validate it against, and what it compiles to is used a few times.
  const cheap = { meta: false, validateSchema: false, code: { optimize: false } };
  contract = new Ajv2020({ strict: false, allErrors: true, ...cheap });
  formats.default(contract);
  contract.addSchema(openApiDocument(ROUTES, { publicUrl: 'http://localhost:3000' }), 'openapi');
  return contract;
}

type Documented = { template: string; pattern: RegExp };

const TEMPLATES: Documented[] = ROUTES.map(({ path }) => ({
  template: path.replace(/:(\w+)/g, '{$1}'),
  pattern: new RegExp(`^/api${path.replace(/:\w+/g, '[^/]+')}$`),
})).sort((a, b) => Number(a.template.includes('{')) - Number(b.template.includes('{')));

const FILES = ROUTES.flatMap(({ fileTypes, path }) => (fileTypes === undefined ? [] : [path]));

const WITHOUT_JSON = [204, 302, 405];

const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/**
 * Checks one response of the API against the OpenAPI document. Does not check URLs that are not in the document (such
 * as the docs themselves), redirects and 405.
 * @throws Error that says how the response differs, or that its status is not documented.
 */
export function assertDocumented(method: string, path: string, status: number, body: unknown): void {
  const known = TEMPLATES.find(({ pattern }) => pattern.test(path));
  if (known === undefined || WITHOUT_JSON.includes(status)) return;
  const where = `openapi#/paths/${escaped(known.template)}/${method.toLowerCase()}/responses/${status}`;
  const ajv = readContract();
  // A file has no shape.
  if (typeof body === 'string' && FILES.includes(known.template) && status === 200) return;
  const validate = ajv.getSchema(`${where}/content/application~1json/schema`);
  if (validate === undefined) throw new Error(`${method} ${known.template} does not document an answer ${status}`);
  if (validate(body)) return;
  throw new Error(
    `${method} ${path} ${status} is not as documented: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body, null, 2)}`,
  );
}
