import { ConfigError, readConfig } from './config.ts';
import { errorMessage } from './errors.ts';
import { createLogger } from './logger.ts';
import { startService } from './service.ts';
import { explainStartFailure } from './start/explain-start-failure.ts';

/*
 * Process entry. SIGTERM or SIGINT stops the service in order. A second signal ends the process at once. Nothing is
 * lost, because the queue takes back the work of a process that died.
 */
const FORCED_EXIT = 130;

function fail(error: unknown): never {
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exit(1);
}

function readConfigOrFail() {
  try {
    return readConfig();
  } catch (error) {
    if (error instanceof ConfigError) fail(error);
    throw error;
  }
}

const config = readConfigOrFail();
const log = createLogger(config.logLevel);
let stopping = false;
let stopService: (() => Promise<void>) | null = null;

function onSignal(signal: string): void {
  if (stopping) process.exit(FORCED_EXIT);
  stopping = true;
  log.info({ signal }, 'stopping: send the signal again to force');
  void stopService?.().then(
    () => process.exit(0),
    (error: unknown) => {
      log.error({ err: error }, 'the service did not stop cleanly');
      // An exit would wait for a thread that cannot be ended.
      process.kill(process.pid, 'SIGKILL');
    },
  );
}

process.on('SIGTERM', onSignal);
process.on('SIGINT', onSignal);

try {
  const service = await startService(config, log, (error) => {
    log.fatal({ err: error }, 'the embedded database ended unexpectedly');
    process.exit(1);
  });
  stopService = service.stop;
  if (stopping) {
    await service.stop();
    process.exit(0);
  }
} catch (error) {
  const sentence = explainStartFailure(error, config);
  if (sentence === null) log.error({ err: error }, 'pixelgate could not start');
  fail(sentence ?? error);
}
