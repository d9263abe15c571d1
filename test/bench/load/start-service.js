import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The built service in a process of its own, with this environment. */
export async function startService(env) {
  const entry = new URL('../../../dist/main.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [...(process.env.NODE_FLAGS?.split(' ') ?? []), entry], {
    env: { ...process.env, NODE_OPTIONS: '', PORT: '0', LOG_LEVEL: 'info', ROLE: 'web', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const url = await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('The service ended at its start')));
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"pixelgate is running"')) resolve(JSON.parse(line).url);
    });
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  return { url, pid: child.pid, stop };
}
