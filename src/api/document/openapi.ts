import type { z } from 'zod';
import type { Config } from '../../config.ts';
import { SESSION_COOKIE } from '../../http/cookies.ts';
import { VERSION } from '../../version.ts';
import type { Route } from '../route-list.ts';
import { ApiError } from '../suite-schemas.ts';
import { WebhookMessage } from '../targets.ts';
import { componentSchemas, schemaInPlace, type JsonSchema } from './document-schemas.ts';

const DESCRIPTION = `Visual review of websites: screenshots of pages at several viewports, compared with approved baselines.

**Authentication.** Register or sign in, and send the \`token\` from the response as \`Authorization: Bearer <token>\`. Browsers get the same token as an httpOnly cookie. Programs send an API token the same way: see \`POST /tokens\` and \`POST /test-suites/{id}/tokens\`. A request that uses the cookie and changes data must come from the same origin.

**Roles.** VIEWER < REVIEWER < EDITOR < ADMIN. The owner of a suite is ADMIN. A suite that the caller has no access to returns 404, as if it did not exist.

**\`diffScore\`** is the percentage of differing pixels, 0 to 100, where 0 is identical. The only exception is \`POST /baseline-versions/compare\`, where it is a similarity: 100 is identical, and \`diffPercentage\` is the difference.

**Images** (screenshots and diff images) are returned as URLs. URLs under \`/files\` need the same token or cookie. An image never changes, so it can be cached forever.

**Limits.** A request body can be at most 1 MiB of JSON. Registration, sign-in, invitations and password resets are rate limited by IP address and by account. The \`Retry-After\` header of a 429 response is the number of seconds to wait.

**Lists** come in parts of at most \`limit\` items. If there are more items, the \`Link\` header of the response has the URL of the next part as \`rel="next"\`, with a \`cursor\`. Items added or deleted in the meantime neither repeat nor hide others. A suite or a run includes only the first items of its lists, with the total (\`_count\`) and the URL of the full list (\`_links\`).

**Errors** are returned as an \`ApiError\`: a sentence for people, and \`details.code\` for programs.

**Versions.** The version above is the version of the API. A breaking change gets a new path prefix.`;

const SECURITY = [{ bearer: [] }, { cookie: [] }];

/** A suite's token is a bearer token, too. Its scopes are named as OpenAPI 3.1 allows it for any kind of security. */
const securityOf = ({ access, suiteToken }: Route): JsonSchema => {
  if (access === 'anyone') return { security: [] };
  if (access === 'optional') return { security: [{}, ...SECURITY] };
  return suiteToken === undefined ? {} : { security: [...SECURITY, { suiteToken: [suiteToken] }] };
};

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } };

function describeParameters(schema: z.ZodType | undefined, where: 'path' | 'query'): JsonSchema[] {
  if (schema === undefined) return [];
  const { properties, required } = schemaInPlace(schema, 'input');
  if (typeof properties !== 'object' || properties === null) return [];
  const needed: unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, property]: [string, JsonSchema]) => {
    const { description, ...rest } = property;
    const described = typeof description === 'string' ? { description } : {};
    return { name, in: where, required: needed.includes(name), ...described, schema: rest };
  });
}

const LINK = { Link: { description: 'The next part, as `rel="next"`', schema: { type: 'string' } } };

function describeSuccess({ status, summary, response, setsCookie, isList, fileTypes }: Route): JsonSchema {
  if (status === 302) {
    return { description: summary, headers: { Location: { schema: { type: 'string', format: 'uri' } } } };
  }
  const types = fileTypes ?? ['application/json'];
  return {
    description: summary,
    ...(setsCookie === true ? { headers: { 'Set-Cookie': { schema: { type: 'string' } } } } : {}),
    ...(isList === true ? { headers: LINK } : {}),
    content: Object.fromEntries(types.map((type) => [type, { schema: schemaInPlace(response, 'output') }])),
  };
}

function describeResponses(route: Route): JsonSchema {
  const failures = Object.entries(describeFailures(route)).map(([status, description]) => {
    const headers = status === '429' || status === '503' ? { headers: RETRY_AFTER } : {};
    const content = { 'application/json': { schema: schemaInPlace(ApiError, 'output') } };
    return [status, { description, ...headers, content }];
  });
  return { [route.status ?? 200]: describeSuccess(route), ...Object.fromEntries(failures) };
}

const ARCHIVE_TYPES = ['application/gzip', 'application/zip'];

function describeRequestBody({ body, bodyOptional, upload }: Route): JsonSchema {
  if (upload === true) {
    return { requestBody: { required: true, content: Object.fromEntries(ARCHIVE_TYPES.map((type) => [type, {}])) } };
  }
  if (body === undefined) return {};
  const content = { 'application/json': { schema: schemaInPlace(body, 'input') } };
  return { requestBody: { required: bodyOptional !== true, content } };
}

function operationObject(route: Route): JsonSchema {
  const { operationId, summary, description, tag, params, query } = route;
  const parameters = [...describeParameters(params, 'path'), ...describeParameters(query, 'query')];
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    ...securityOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...describeRequestBody(route),
    responses: describeResponses(route),
  };
}

/** Converts `/test-suites/:id` to the form that OpenAPI uses: `/test-suites/{id}`. */
const toPathTemplate = (path: string) => path.replace(/:(\w+)/g, '{$1}');

function describePaths(routes: readonly Route[]): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const template = toPathTemplate(route.path);
    paths[template] = { ...paths[template], [route.method]: operationObject(route) };
  }
  return paths;
}

/** What Pixelgate sends to a target of kind WEBHOOK. */
function describeWebhooks(): JsonSchema {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  });
  const post = {
    operationId: 'onMessage',
    summary: 'A message, signed as Standard Webhooks says',
    security: [],
    parameters: [
      header('webhook-id', 'The same each time the message is sent'),
      header('webhook-timestamp', 'When it was sent, in seconds since 1970'),
      header('webhook-signature', 'One or two signatures `v1,…`, with a space between them'),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaInPlace(WebhookMessage, 'output') } },
    },
    responses: {
      '2XX': { description: 'It arrived. Any other answer: it is sent again. 410: nothing is sent any more' },
    },
  };
  return { message: { post } };
}

/** The OpenAPI 3.1 document, built from the same route table and schemas that serve and validate requests. */
export function openApiDocument(routes: readonly Route[], { publicUrl }: Pick<Config, 'publicUrl'>): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pixelgate',
      version: VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api', description: `This Pixelgate server: ${publicUrl}` }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    security: SECURITY,
    paths: describePaths(routes),
    webhooks: describeWebhooks(),
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        suiteToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of one suite, with the scope that the operation lists, or a workflow’s token',
        },
        cookie: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
      },
    },
  };
}

function refusals({ method, access, params }: Route): Record<number, string> {
  const changes = method !== 'get';
  const ofCaller = access === 'viewer' ? { 401: 'The token is missing or not valid' } : {};
  const foreign = 'the request carries a cookie and came from another site';
  if (!changes) return access === 'anyone' ? ofCaller : { ...ofCaller, 403: 'The suite token does not permit this' };
  return {
    ...ofCaller,
    403: params === undefined ? `When ${foreign}` : `The role or the token does not permit it, or ${foreign}`,
  };
}

/** All the ways an operation can fail: those of its kind, and its own. */
function describeFailures(route: Route): Record<string, string> {
  const { method, params, query, rateLimit, upload, failures } = route;
  const readsJson = method !== 'get' && upload !== true;
  const takesInput = params !== undefined || query !== undefined || readsJson;
  return {
    ...(takesInput ? { 400: 'A field is not valid, or the JSON is malformed' } : {}),
    ...refusals(route),
    ...(params === undefined ? {} : { 404: 'It does not exist, or the caller has no access to it' }),
    ...(readsJson ? { 413: 'The body is over 1 MiB', 415: 'The body is not JSON' } : {}),
    ...(rateLimit === undefined ? {} : { 429: 'Too many attempts' }),
    500: 'Something went wrong in Pixelgate',
    503: 'The database or the storage cannot be reached',
    ...failures,
  };
}
