import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Config } from '../config.ts';
import { createClient, register } from './api-client.ts';
import type { Client } from './api-client.ts';
import { startDemoService } from './own-service.ts';
import type { RunningService } from './own-service.ts';
import type { Screen } from './screen.ts';
import { showDemoSite } from './show-demo-site.ts';
import { showRealSite } from './show-real-site.ts';
import { startSite } from './site.ts';
import type { Shown, Stage } from './stage.ts';

export type Demonstration = {
  env: NodeJS.ProcessEnv;
  screen: Screen;
  /** Aborted on Ctrl-C. */
  signal: AbortSignal;
  /** False: keep running until the signal. */
  once: boolean;
  /** Null: use the demo site. */
  site: string | null;
  startService: (config: Config) => Promise<RunningService>;
};

type SiteOrigins = { before: string; after: string };

async function withSites<T>(work: (origins: SiteOrigins) => Promise<T>): Promise<T> {
  const before = await startSite('before');
  try {
    const after = await startSite('after');
    try {
      return await work({ before: before.origin, after: after.origin });
    } finally {
      await after.stop();
    }
  } finally {
    await before.stop();
  }
}

function verdict({ problems, asPlanned }: Shown): string {
  if (problems.length === 0) return asPlanned;
  return `The demo did NOT go as planned:\n${problems.map((problem) => `  ${problem}`).join('\n')}`;
}

/** A link that signs the visitor in and opens the review page of the run. */
async function reviewAddress(client: Client, runId: string): Promise<string> {
  const { url } = await client.signInLink();
  const address = new URL(url);
  address.searchParams.set('next', `/runs/${runId}`);
  return address.href;
}

async function present(
  { screen, signal, once: stopAtEnd }: Demonstration,
  service: string,
  show: (stage: Stage) => Promise<Shown>,
): Promise<number> {
  const startedAt = performance.now();
  const account = { email: 'demo@example.com', password: randomBytes(12).toString('base64url') };
  const token = await register(service, account, signal);
  const client = createClient({ service, token, signal });
  const shown = await show({ client, screen, signal });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  screen.say(['', ...shown.lines, '', `${verdict(shown)} It took ${seconds} s.`, ''].join('\n'));
  screen.say(`Review    ${await reviewAddress(client, shown.runId)}`);
  screen.say('          Open it in a browser to sign in. The link works once, for 15 minutes.');
  screen.say(`Account   ${account.email}, password ${account.password} (to sign in later)`);
  screen.say(`API docs  ${service}/api/docs`);
  screen.say(`Token     curl -H 'Authorization: Bearer ${token}' ${service}/api/test-runs/${shown.runId}`);
  if (!stopAtEnd) {
    screen.say('\nPixelgate keeps running until you press Ctrl-C.');
    if (!signal.aborted) await once(signal, 'abort');
  }
  return shown.problems.length === 0 ? 0 : 1;
}

/**
 * Runs the whole demo. Everything that it started has stopped when it returns.
 * @returns the exit code: 0 if the outcome is as planned, otherwise 1.
 */
export async function demonstrate(demonstration: Demonstration): Promise<number> {
  const { env, screen, signal, site, startService } = demonstration;
  screen.say('Starting Pixelgate with its own database ...');
  const service = await startDemoService(env, startService);
  try {
    signal.throwIfAborted();
    screen.say(`Pixelgate:                  ${service.url}`);
    if (site !== null) {
      return await present(demonstration, service.url, (stage) => showRealSite(stage, service.url, site));
    }
    return await withSites((origins) =>
      present(demonstration, service.url, (stage) => showDemoSite(stage, service.url, origins)),
    );
  } finally {
    await service.stop();
  }
}
