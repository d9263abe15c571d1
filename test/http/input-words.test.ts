import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { parsePart } from '../../src/http/endpoint.ts';

it.each([
  ['is required', z.string(), undefined],
  ['must be text', z.string(), 5],
  ['must not be empty', z.string().min(1), ''],
  ['must be at most 2,000 characters', z.string().max(2000), 'a'.repeat(2001)],
  ['must be a whole number', z.int(), 0.5],
  ['must be at most 730', z.int().min(1).max(730), 731],
  ['must be at least 1', z.int().min(1).max(730), 0],
  ['must be true or false', z.boolean(), 'yes'],
  ['must have at most 1', z.array(z.string()).max(1), ['a', 'b']],
  ['must be a list', z.array(z.string()), {}],
  ['must be an object', z.object({}), []],
  ['must be a name', z.string('must be a name'), 5],
])('says that a field %s', (message, schema, value) => {
  const parse = () => parsePart(z.object({ field: schema }), { field: value });
  expect(parse).toThrow(expect.objectContaining({ issues: [expect.objectContaining({ path: ['field'], message })] }));
});
