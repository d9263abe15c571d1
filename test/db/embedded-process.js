import { pino } from 'pino';
import { startEmbeddedPostgres } from '../../dist/db/embedded-postgres.js';

// A separate process that serves a data directory. It prints its address, or why there is none, and waits. SIGTERM
// stops the database. SIGINT ends the process without stopping it (or, if `patient`, is only reported).
const [dataDir, patient] = process.argv.slice(2);
const say = (line) => process.stdout.write(`${line}\n`);
try {
  const postgres = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }), durable: false });
  process.once('SIGTERM', () => void postgres.stop().then(() => process.exit(0)));
  process.once('SIGINT', () => (patient === undefined ? process.exit(1) : say('noted')));
  say(postgres.url);
  setInterval(() => {}, 60_000);
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
