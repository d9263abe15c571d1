import { Agent, request } from 'undici';

const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;

/** One read to its end. @returns milliseconds, bytes, and whether it went well. */
async function read(dispatcher, url, headers) {
  const startedAt = performance.now();
  let bytes = 0;
  let isWell = false;
  try {
    const { statusCode, body } = await request(url, {
      dispatcher,
      headers,
      headersTimeout: 60_000,
      bodyTimeout: 60_000,
    });
    for await (const chunk of body) bytes += chunk.length;
    isWell = statusCode === 200;
  } catch {
    // Counted as an error.
  }
  return { ms: performance.now() - startedAt, bytes, isWell };
}

export function openClients({ url, token }, count) {
  const dispatcher = new Agent({ connections: count, pipelining: 1 });
  const headers = { authorization: `Bearer ${token}` };
  return {
    read: (route) =>
      read(dispatcher, `${url}${route.path}`, route.page ? { cookie: `pixelgate_session=${token}` } : headers),
    close: () => dispatcher.close(),
  };
}

export function summarize(reads) {
  const times = reads.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return {
    reads: reads.length,
    errors: reads.filter(({ isWell }) => !isWell).length,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    kilobytes: (reads[0]?.bytes ?? 0) / 1000,
  };
}

/**
 * As many clients as `count` read one route after another until the time is over, each beginning somewhere else.
 * @returns what each route saw, by its name, and how many reads there were in a second.
 */
export async function readTogether(service, routes, { count, seconds }) {
  const clients = openClients(service, count);
  const seen = new Map(routes.map(({ name }) => [name, []]));
  const end = performance.now() + 1000 * seconds;
  const drive = async (client) => {
    for (let at = client; performance.now() < end; at += 1) {
      const route = routes[at % routes.length];
      seen.get(route.name).push(await clients.read(route));
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: count }, (_, client) => drive(client)));
  const took = (performance.now() - startedAt) / 1000;
  await clients.close();
  const reads = [...seen.values()].flat();
  return {
    byRoute: new Map([...seen].map(([name, ofRoute]) => [name, summarize(ofRoute)])),
    all: summarize(reads),
    perSecond: reads.length / took,
  };
}
