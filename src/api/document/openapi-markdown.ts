import type { JsonSchema } from './document-schemas.ts';

const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const asRecord = (value: unknown): JsonSchema => (isRecord(value) ? value : {});
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** In TypeScript's syntax, because that is short. */
function typeOf(schema: unknown): string {
  const {
    $ref,
    enum: values,
    const: only,
    anyOf,
    oneOf,
    type,
    items,
    properties,
    additionalProperties,
  } = asRecord(schema);
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (only !== undefined) return JSON.stringify(only);
  const options = [...asList(anyOf), ...asList(oneOf)];
  if (options.length > 0) return [...new Set(options.map(typeOf))].join(' | ');
  if (type === 'array') return listOf(typeOf(items));
  if (isRecord(properties)) return `{ ${fields(schema, ({ name, type: of }) => `${name}: ${of}`).join('; ')} }`;
  if (isRecord(additionalProperties)) return `Record<string, ${typeOf(additionalProperties)}>`;
  return Array.isArray(type) ? type.join(' | ') : asText(type) || 'unknown';
}

const listOf = (item: string) => (/[|{]/.test(item) ? `(${item})[]` : `${item}[]`);

type Field = { name: string; type: string; description: string };

function fields<T>(schema: unknown, write: (field: Field) => T): T[] {
  const { properties, required } = asRecord(schema);
  const needed = asList(required);
  return Object.entries(asRecord(properties)).map(([name, of]) =>
    write({
      name: needed.includes(name) ? name : `${name}?`,
      type: typeOf(of),
      description: asText(asRecord(of)['description']),
    }),
  );
}

const line = ({ name, type, description }: Field) =>
  `- \`${name}\`: \`${type}\`${description === '' ? '' : `. ${description}`}`;

function writeParameter(parameter: unknown): string {
  const { name, in: where, required, schema, description } = asRecord(parameter);
  const named = `${asText(name)}${required === true ? '' : '?'}`;
  return line({
    name: `${where === 'path' ? '/' : '?'} ${named}`,
    type: typeOf(schema),
    description: asText(description),
  });
}

const contentOf = (value: unknown) => asRecord(asRecord(asRecord(value)['content'])['application/json'])['schema'];

function writeAnswers(responses: unknown): string {
  const entries = Object.entries(asRecord(responses));
  const good = entries.filter(([status]) => status < '400');
  const answers = good.map(([status, response]) => {
    const schema = contentOf(response);
    return `- ${status}${schema === undefined ? '' : `: \`${typeOf(schema)}\``}`;
  });
  const bad = entries.flatMap(([status]) => (status < '400' ? [] : [status]));
  return [...answers, `- errors: ${bad.join(', ')}`].join('\n');
}

function writeScope(security: unknown): string {
  const scopes = asList(security).flatMap((each) => asList(asRecord(each)['suiteToken']));
  return scopes.length === 0 ? '' : `Open to a suite's token with the scope \`${scopes.join()}\`.`;
}

function writeOperation(path: string, method: string, operation: JsonSchema): string {
  const { operationId, summary, description, parameters, requestBody, responses, security } = operation;
  const body = contentOf(requestBody);
  return [
    `### ${method.toUpperCase()} ${path}`,
    `${asText(summary)} (\`${asText(operationId)}\`). ${asText(description)} ${writeScope(security)}`.trim(),
    [
      ...asList(parameters).map(writeParameter),
      ...(body === undefined ? [] : [`- body: \`${typeOf(body)}\``]),
      writeAnswers(responses),
    ].join('\n'),
  ].join('\n\n');
}

function writeSchema(name: string, schema: unknown): string {
  const description = asText(asRecord(schema)['description']);
  const head = `### ${name}${description === '' ? '' : `\n\n${description}`}`;
  const lines = fields(schema, line);
  return `${head}\n\n${lines.length === 0 ? `\`${typeOf(schema)}\`` : lines.join('\n')}`;
}

/** The API document as Markdown, for agents and people without a viewer. */
export function writeOpenApi(document: JsonSchema): string {
  const { info, paths, components } = document;
  const operations = Object.entries(asRecord(paths)).flatMap(([path, methods]) =>
    Object.entries(asRecord(methods)).map(([method, operation]) => writeOperation(path, method, asRecord(operation))),
  );
  const schemas = Object.entries(asRecord(asRecord(components)['schemas'])).map(([name, schema]) =>
    writeSchema(name, schema),
  );
  const { title, version, description } = asRecord(info);
  return [
    `# ${asText(title)} API ${asText(version)}`,
    'Paths are below `/api`. `?` marks what may be left out. The same as JSON: `/api/openapi.json`.',
    asText(description),
    '## Operations',
    ...operations,
    '## Schemas',
    ...schemas,
    '',
  ].join('\n\n');
}
