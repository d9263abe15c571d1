import { createServer } from 'node:http';
import pLimit from 'p-limit';
import { boxFont } from './box-font.js';
import { COMMON, MISSING, PAGES, SCENES, siteAfter } from './group-scenes.js';

const AT_ONCE = 3;

const TYPES = { svg: 'image/svg+xml', ttf: 'font/ttf' };

/** Serves sites: each page says which one it belongs to, and so does whoever loads a file for it. */
async function startGroupServer() {
  const sites = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://groups');
    const siteOf = ({ searchParams }) => sites[Number(searchParams.get('site'))];
    const page = PAGES.find(({ name }) => url.pathname === `/${name}`);
    if (page !== undefined) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(siteOf(url).html(page));
      return;
    }
    const { files } = siteOf(new URL(request.headers.referer ?? 'http://groups'));
    const content = { '/boxes.ttf': boxFont(), ...files }[url.pathname] ?? MISSING;
    if (content === MISSING) response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Nothing here</h1>');
    else response.writeHead(200, { 'content-type': TYPES[url.pathname.split('.').at(-1)] }).end(content);
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address();
  return {
    address: ({ name }, site) => `http://127.0.0.1:${port}/${name}?site=${sites.push(site) - 1}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/**
 * For each common change the groups on pages that have no fault, and for each scene the faulty page's own, by viewport.
 * `capture` takes a page at an address with a viewport, `listChanges` tells the keys of what changed between two of them.
 */
export async function measureGroups({ capture, listChanges, viewports }) {
  const server = await startGroupServer();
  const limit = pLimit(AT_ONCE);
  const taken = new Map();
  const [faulty] = PAGES;
  const take = async (page, size, name, edits) => {
    const key = [page.name, size.width, name].join('|');
    const capturing = taken.get(key) ?? limit(async () => capture(server.address(page, siteAfter(...edits)), size));
    taken.set(key, capturing);
    return capturing;
  };
  const keysOf = async (page, size, name, edits) => {
    const [before, after] = await Promise.all([take(page, size, 'before', []), take(page, size, name, edits)]);
    return listChanges(before, after);
  };
  try {
    const names = [...new Set(SCENES.map(({ common }) => common))];
    const commons = await Promise.all(
      names.map(async (name) => {
        const pairs = PAGES.flatMap((page) => viewports.map((size) => keysOf(page, size, name, [COMMON[name]])));
        return { name, changes: await Promise.all(pairs) };
      }),
    );
    const faults = await Promise.all(
      SCENES.map(async ({ common, name, fault, instead }) => {
        const edits = instead ? [fault] : [COMMON[common], fault];
        const usual = new Set(commons.find((each) => each.name === common)?.changes.flat());
        const found = await Promise.all(viewports.map((size) => keysOf(faulty, size, `${common}: ${name}`, edits)));
        return { common, name, own: found.map((keys) => keys.filter((key) => !usual.has(key))) };
      }),
    );
    return { commons, faults };
  } finally {
    await server.close();
  }
}
