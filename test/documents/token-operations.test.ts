import { expect, it } from '@jest/globals';
import { ROUTES } from '../../src/api/route-list.ts';
import { firstCells, readDocument, sectionOf } from './markdown.ts';

it('docs/api.md names every operation that a token of a suite may do, and no other', () => {
  const section = sectionOf(readDocument('docs/api.md'), '### Operations of suite and workflow tokens');
  const named = firstCells(section).flatMap((cell) => /^`([A-Z]+ [^`]+)`/.exec(cell)?.[1] ?? []);
  const open = ROUTES.filter(({ suiteToken }) => suiteToken !== undefined);
  expect(named.toSorted()).toEqual(open.map(({ method, path }) => `${method.toUpperCase()} ${path}`).toSorted());
});
