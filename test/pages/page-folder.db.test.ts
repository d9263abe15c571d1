import { afterAll, expect, it } from '@jest/globals';
import { FOLDER_SQL, folderOf, foldersTo, REST_SQL } from '../../src/pages/page-folder.ts';
import { createTestDatabase } from '../support/database.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

const PATHS = [
  '/',
  '/about',
  '/docs',
  '/docs/',
  '/docs/install?tab=mac/arm',
  '/docs/api/runs/1',
  '/docs/a%2Fb/c',
  '/?next=/docs/',
];

it('is the part of a path up to the next slash, in SQL as in TypeScript', async () => {
  for (const base of ['/', '/docs/', '/docs/api/']) {
    const paths = PATHS.filter((path) => path.startsWith(base));
    const { rows } = await database.db.raw(
      `select ${FOLDER_SQL} as folder
       from unnest(?::text[]) with ordinality as site_pages (path, place) cross join lateral (select ${REST_SQL} as rest) as below
       order by place`,
      [base, paths, base],
    );
    expect(rows.map(({ folder }: { folder: string }) => folder)).toEqual(paths.map((path) => folderOf(path, base)));
  }
  expect(PATHS.map((path) => folderOf(path, '/'))).toEqual([
    '/',
    '/',
    '/',
    '/docs/',
    '/docs/',
    '/docs/',
    '/docs/',
    '/',
  ]);
  expect(folderOf('/docs/api/runs/1', '/docs/')).toBe('/docs/api/');
});

it('has a way from the root', () => {
  expect(foldersTo('/')).toEqual([{ folder: '/', name: '/' }]);
  expect(foldersTo('/docs/api/')).toEqual([
    { folder: '/', name: '/' },
    { folder: '/docs/', name: 'docs/' },
    { folder: '/docs/api/', name: 'api/' },
  ]);
});
