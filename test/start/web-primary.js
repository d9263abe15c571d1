import { createLogger } from '../../dist/logger.js';
import { readConfig } from '../../dist/config.js';
import { startWebProcesses } from '../../dist/start/web-processes.js';

/*
 * A first process for web-processes.process.test.ts, which ends its web processes at SIGTERM. Its argument says how these
 * behave (web-stub.js).
 */
const [behavior] = process.argv.slice(2);
const web = startWebProcesses({
  count: 2,
  entry: new URL('web-stub.js', import.meta.url),
  log: createLogger('silent'),
  stopMs: 50,
});
process.on('SIGTERM', () => void web.stop().then(() => process.exit(0)));
const config = readConfig({ PORT: '0' });
const url = await web.serve({ config, databaseUrl: behavior, metrics: { collect: async () => [] } });
process.stdout.write(`${url}\n`);
