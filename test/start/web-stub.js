import { createServer } from 'node:http';

/* A web process for web-processes.process.test.ts: it answers with its own number. */
let behavior = '';

process.on('message', (message) => {
  if (message.type === 'stop' && behavior !== 'deaf') process.exit(0);
  if (message.type !== 'start') return;
  behavior = message.databaseUrl;
  const server = createServer((_req, res) => res.end(String(process.pid)));
  server.listen(message.config.port, '127.0.0.1', () => {
    const { port } = server.address();
    process.send({ type: 'listening', url: `http://127.0.0.1:${port}` });
  });
});
process.send({ type: 'ready' });
