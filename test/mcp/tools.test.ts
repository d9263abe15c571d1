import { expect, it } from '@jest/globals';
import { z } from 'zod';
import type { TokenScope, Viewer } from '../../src/auth/user.ts';
import { describeInput } from '../../src/mcp/call-tool.ts';
import { isOpenTo, TOOLS } from '../../src/mcp/tools.ts';
import { firstCells, readDocument, sectionOf } from '../documents/markdown.ts';

const at = new Date(0);
const person: Viewer = { id: 'me', email: 'me@example.com', name: null, image: null, createdAt: at, updatedAt: at };
const withScopes = (...scopes: TokenScope[]): Viewer => ({ ...person, within: { suiteId: 's', scopes } });

const listed = (viewer: Viewer) => TOOLS.filter((tool) => isOpenTo(tool, viewer)).map(({ name }) => name);

const READING = ['find_runs', 'wait_for_run', 'summarize_run', 'show_change', 'explain_failures', 'screenshot_history'];

it('an agent sees what its token may call: nothing that writes without the scope, and never approving', () => {
  expect(listed(withScopes())).toEqual([]);
  expect(listed(withScopes('upload'))).toEqual([]);
  expect(listed(withScopes('read'))).toEqual(READING);
  expect(listed(withScopes('run'))).toEqual(['start_run', 'cancel_run']);
  expect(listed(withScopes('upload', 'run', 'read'))).toEqual([...READING, 'start_run', 'cancel_run']);
  expect(listed(person)).toEqual([...READING, 'list_suites', 'start_run', 'cancel_run']);
});

it('only tools that are said to read are operations that read', () => {
  const writing = TOOLS.filter(({ route }) => route.method !== 'get').map(({ name }) => name);
  expect(writing).toEqual(['start_run', 'cancel_run']);
});

const Input = z.object({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
  additionalProperties: z.unknown(),
});

it('each tool takes parameters of its operation, and nothing that it sends itself', () => {
  const inputs = TOOLS.map((tool) => {
    const { properties, required, additionalProperties } = Input.parse(describeInput(tool));
    expect(Object.keys(properties)).toEqual(tool.takes);
    expect(additionalProperties).toBe(false);
    return `${tool.name} ${Object.keys(properties)
      .map((name) => (required.includes(name) ? name : `${name}?`))
      .join(' ')}`;
  });
  expect(inputs).toEqual([
    'find_runs testSuiteId? pullRequest? headSha? branch? status? reviewState? search? cursor?',
    'wait_for_run id seconds?',
    'summarize_run id cursor?',
    'show_change id changeId cursor?',
    'explain_failures id',
    'screenshot_history id path viewport',
    'list_suites cursor?',
    'start_run id targetBaseUrl? branch? headSha? prNumber? buildId? render?',
    'cancel_run id',
  ]);
});

it('a cursor is said to come from where a tool puts it, not from a header', () => {
  const described = TOOLS.flatMap((tool) => {
    const { cursor } = Input.parse(describeInput(tool)).properties;
    return cursor === undefined ? [] : [cursor];
  });
  expect(described.length).toBeGreaterThan(0);
  for (const cursor of described) {
    expect(cursor).toMatchObject({
      type: 'string',
      description: '`nextCursor` of the previous part. Keep the other arguments unchanged.',
    });
  }
});

it('docs/api.md names every tool, and no other', () => {
  const named = firstCells(sectionOf(readDocument('docs/api.md'), '## Agents')).flatMap(
    (cell) => /^`(\w+)`/.exec(cell)?.[1] ?? [],
  );
  expect(named).toEqual(TOOLS.map(({ name }) => name));
});
