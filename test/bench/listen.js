import { once } from 'node:events';
import { createServer } from 'node:http';

/** Serves a site on a free port of this machine until it is stopped. */
export async function listen(handle) {
  const server = createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
