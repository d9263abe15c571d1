/** A client for tests that use the built service from outside. Throws on an unexpected status. */
export type RestClient = {
  token: string | null;
  call(method: string, path: string, body?: unknown, expected?: number): Promise<any>;
  /** Asks again until `done` holds. The test's own time limit applies. */
  until(path: string, done: (answer: any) => boolean): Promise<any>;
};

/** A look costs the service some 20 ms of a processor. */
const PAUSE_MS = 300;

export function restClient(url: string): RestClient {
  const client: RestClient = {
    token: null,
    async call(method, path, body, expected) {
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: {
          ...(client.token === null ? {} : { authorization: `Bearer ${client.token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const answer: unknown = await response.json();
      if (expected === undefined ? !response.ok : response.status !== expected) {
        throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
      }
      return answer;
    },
    async until(path, done) {
      for (;;) {
        const answer = await client.call('GET', path);
        if (done(answer)) return answer;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    },
  };
  return client;
}

export const runIsOver = (run: { status: string }) => !['PENDING', 'RUNNING'].includes(run.status);
