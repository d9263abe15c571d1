import { expect, it } from '@jest/globals';
import { ROUTES } from '../../src/web/route-table.ts';
import { PLACES } from '../screenshots/pictures/places.ts';
import type { Stage } from '../screenshots/pictures/stage.ts';

const ID = '00000000-0000-4000-8000-000000000000';

/** Where each ID is the same. */
const stage = new Proxy({} as Stage, { get: () => ID });

/** Parts of pages, files, and addresses that lead elsewhere. */
const NO_PAGE = [
  '/setup/callback',
  '/setup/create',
  '/suites/:id/crawl',
  '/suites/:id/settings/try',
  '/suites/:id/settings/rules',
  '/runs/:id/live',
  '/runs/:id/results',
  '/runs/:id/news',
  '/runs/:id/review',
  '/runs/:id/summary.md',
];

const matches = (template: string, path: string) =>
  new RegExp(`^${template.replaceAll(/:\w+/g, '[^/]+')}$`).test(path.split('?')[0] ?? '');

it('a picture is taken of every page', () => {
  const taken = PLACES.map(({ at }) => at(stage));
  const pages = ROUTES.filter(({ method, path }) => method === 'get' && !NO_PAGE.includes(path));
  const missing = pages.filter(({ path }) => !taken.some((address) => matches(path, address)));
  expect(missing.map(({ path }) => path)).toEqual([]);
});

it('pictures have names of their own', () => {
  const names = PLACES.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
