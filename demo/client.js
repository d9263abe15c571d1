import { setTimeout as sleep } from 'node:timers/promises';

const CALL_MS = 30_000;
const LOOK_MS = 200;
const PATIENCE_MS = 180_000;

/** A client of the REST API. `signal` aborts the call in progress. @param {string} service @param {AbortSignal} signal */
export function createClient(service, signal) {
  const client = {
    token: '',

    /** @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<any>} */
    async call(method, path, body) {
      const response = await fetch(`${service}/api${path}`, {
        method,
        headers: {
          ...(client.token === '' ? {} : { authorization: `Bearer ${client.token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
      });
      const text = await response.text();
      if (response.ok) return text === '' ? null : JSON.parse(text);
      throw new Error(`${method} /api${path} returned ${response.status}: ${text.slice(0, 300)}`);
    },

    /**
     * Asks until the work is done.
     * @param {string} path
     * @param {(answer: any) => boolean} isDone
     * @param {(answer: any) => string} describe tells how far it is
     */
    async follow(path, isDone, describe) {
      let last = '';
      let movedAt = performance.now();
      for (;;) {
        const answer = await client.call('GET', path);
        if (isDone(answer)) return answer;
        const state = describe(answer);
        if (state !== last) movedAt = performance.now();
        last = state;
        if (performance.now() - movedAt > PATIENCE_MS) throw new Error(`No progress for three minutes: ${state}`);
        await sleep(LOOK_MS, undefined, { signal });
      }
    },

    /** Null if the address returns a PNG, otherwise what is wrong with it. @param {string} address */
    async imageProblem(address) {
      const response = await fetch(address, { headers: { authorization: `Bearer ${client.token}` }, signal });
      await response.body?.cancel();
      const type = response.headers.get('content-type');
      return response.ok && type === 'image/png' ? null : `${address} returned ${response.status} ${type}`;
    },
  };
  return client;
}

/** @typedef {ReturnType<typeof createClient>} Client */
