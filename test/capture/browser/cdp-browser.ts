import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findBrowser } from '../../../src/capture/browser/find-browser.ts';

/** A browser that somebody else has started, and that speaks CDP. */
export type CdpBrowser = { address: URL; isRunning(): boolean; kill(): Promise<void> };

export async function startCdpBrowser(): Promise<CdpBrowser> {
  const profile = await mkdtemp(path.join(os.tmpdir(), 'pixelgate-cdp-'));
  const args = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  const child = spawn((await findBrowser(null)) ?? '', args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const address = await new Promise<string>((resolve) => {
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /ws:\/\/\S+/.exec(text);
      if (found !== null) resolve(found[0]);
    });
  });
  return {
    address: new URL(address),
    isRunning: () => child.exitCode === null,
    async kill() {
      const gone = once(child, 'exit');
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await gone;
      await rm(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
