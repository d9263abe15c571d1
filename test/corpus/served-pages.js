import { serves } from './corpus-page.js';

const HEADERS = { 'content-type': 'text/html', 'cache-control': 'no-store' };

/** How often each address was asked for. */
const asked = new Map();

function countOf({ req: { url } }) {
  const count = asked.get(url) ?? 0;
  asked.set(url, count + 1);
  return count;
}

const layout = ({ word }, style) =>
  `<!doctype html><html lang="en"><head><title>Corpus</title><link rel="icon" href="data:,"><style>p { ${style} }</style></head><body><h1>Offer</h1><p>${word}</p><p>Always here</p></body></html>`;

/** Chance or time decides what a server answers, or when. */
export const SERVED_PAGES = [
  {
    ...serves('alternates: a server with two layouts in turn', (response, variant) => {
      const style = countOf(response) % 2 === 0 ? '' : 'float: right';
      response.writeHead(200, HEADERS).end(layout(variant, style));
    }),
    alternates: true,
  },
  ...[2000, 4000].map((ms) =>
    serves(`late: a server that takes ${ms} ms every second time`, (response, variant, later) => {
      const slow = countOf(response) % 2 === 1;
      later(slow ? ms : 0, () => response.writeHead(200, HEADERS).end(layout(variant, '')));
    }),
  ),
  serves('late: a server that sends one half 3000 ms after the other every second time', (response, variant, later) => {
    const [first, second] = layout(variant, '').split('<h1>');
    const slow = countOf(response) % 2 === 1;
    response.writeHead(200, HEADERS).write(first);
    later(slow ? 3000 : 0, () => response.end(`<h1>${second}`));
  }),
];
