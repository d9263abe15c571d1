import type { Config } from '../config.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import { readArguments, USAGE } from './arguments.ts';
import { demonstrate } from './demonstrate.ts';
import { createScreen } from './screen.ts';

const MISUSED = 2;
const INTERRUPTED = 130;

async function run(once: boolean, site: string | null): Promise<number> {
  const { env, stdout } = process;
  const interactive = stdout.isTTY && !env['CI'];
  const screen = createScreen(stdout, interactive, interactive && !env['NO_COLOR']);
  const interruption = new AbortController();
  const interrupt = () => {
    if (interruption.signal.aborted) process.exit(INTERRUPTED);
    screen.say('\nStopping ...');
    interruption.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  const start = (config: Config) =>
    startService(config, createLogger(config.logLevel), (error) => {
      screen.say(`The demo cannot continue: ${error.message}`);
      process.exit(1);
    });
  try {
    return await demonstrate({ env, screen, signal: interruption.signal, once, site, startService: start });
  } catch (error) {
    if (interruption.signal.aborted) return INTERRUPTED;
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
    screen.say(`The demo failed: ${error instanceof Error ? error.message : String(error)}${cause}`);
    return 1;
  }
}

const words = readArguments(process.argv.slice(2));
switch (words.kind) {
  case 'help':
    process.stdout.write(USAGE);
    break;
  case 'mistake':
    process.stderr.write(`${words.message}\n\n${USAGE}`);
    process.exitCode = MISUSED;
    break;
  case 'demo':
    process.exitCode = await run(words.once, words.site);
    break;
}
