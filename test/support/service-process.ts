import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const ENTRY = new URL('../../dist/main.js', import.meta.url).pathname;

export type ServiceProcess = {
  url: string;
  child: ChildProcess;
  /** The lines of its log so far. */
  lines: string[];
  /** Sends the signal and waits for the end. Returns the exit code, or null if the signal ended the process. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
};

/**
 * The built service as a separate process. Resolves when it is up. Rejects with its output if it ends before that.
 * @param onSpawn is given the process at once.
 */
export async function startServiceProcess(
  env: Record<string, string>,
  onSpawn: (child: ChildProcess) => void = () => {},
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [ENTRY], {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      PORT: '0',
      LOG_LEVEL: 'info',
      WORKER_THREADS: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onSpawn(child);
  const exited = once(child, 'exit');
  const lines: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`The service ended at its start:\n${lines.join('\n')}`)));
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        if (line.includes('"pixelgate is running"')) resolve(JSON.parse(line).url);
      });
    }
  });
  return {
    url,
    child,
    lines,
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
}
