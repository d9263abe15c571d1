import { expect, it } from '@jest/globals';
import { siteFolder } from '../../../src/pages/crawl/visit-levels.ts';

it.each([
  ['the root', '/', '/', '/'],
  ['the root, where the home page is further down', '/', '/en/', '/'],
  ['a folder', '/repo/', '/repo/', '/repo/'],
  ['the folder of a file', '/repo/index.html', '/repo/index.html', '/repo/'],
  ['a folder whose slash the host adds', '/repo', '/repo/', '/repo/'],
  ['the folder that a page is in', '/account/login?next=/a/b', '/account/login?next=/a/b', '/account/'],
  ['the folder that another one leads to', '/old/', '/new/home', '/new/'],
])('a site is crawled in %s', (_, home, landed, folder) => {
  expect(siteFolder(home, landed)).toBe(folder);
});
