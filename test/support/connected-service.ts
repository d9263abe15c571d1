import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/logger.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { startGitHubStandIn, type GitHubStandIn } from './github-stand-in.ts';
import type { Person } from './github-world.ts';
import { plainBrowser, signInWithGitHub, type PlainBrowser } from './plain-browser.ts';
import { restClient, type RestClient } from './rest-client.ts';
import { startServiceProcess } from './service-process.ts';
import { handleDeliveries } from './take-deliveries.ts';

/** The public URL of the service in these tests. */
export const PUBLIC_URL = 'https://pixelgate.test';

/** The built service as a web host that is connected to a GitHub. Nothing runs its jobs. */
export type ConnectedService = {
  url: string;
  github: GitHubStandIn;
  database: TestDatabase;
  newBrowser(): PlainBrowser;
  /** An API client with the session of that browser. */
  apiOf(browser: PlainBrowser): RestClient;
  /** @returns the user who is then signed in. */
  signIn(browser: PlainBrowser, person: Person): Promise<{ id: string; email: string }>;
  /** Does what a worker does with the deliveries that were taken. */
  handleDeliveries(): Promise<void>;
  stop(): Promise<void>;
};

let people = 100;

/** A person with a GitHub account but no account here. */
export function newPerson(changes: Partial<Person> = {}): Person {
  people += 1;
  const login = `person-${people}`;
  return { id: people, login, name: login, email: `${login}@example.com`, ...changes };
}

export async function startConnectedService(): Promise<ConnectedService> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-connected-'));
  const github = await startGitHubStandIn();
  const { url, end } = await startServiceProcess({
    ...github.environment,
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PUBLIC_URL,
    ROLE: 'web',
  });
  const connected: ConnectedService = {
    url,
    github,
    database,
    newBrowser: () => plainBrowser(() => url, PUBLIC_URL),
    apiOf(browser) {
      const api = restClient(url);
      api.token = browser.token();
      return api;
    },
    async signIn(browser, person) {
      github.world.person = person;
      const answer = await signInWithGitHub(browser);
      if (answer.status !== 302) throw new Error(`Signing in ended with ${answer.status}: ${await answer.text()}`);
      return (await connected.apiOf(browser).call('GET', '/auth/me')).user;
    },
    async handleDeliveries() {
      const clock = { now: () => new Date() };
      await handleDeliveries({
        db: database.db,
        config: readConfig(github.environment),
        clock,
        log: createLogger('silent'),
      });
    },
    async stop() {
      await end();
      await github.stop();
      await database.drop();
      await rm(dataDir, { recursive: true });
    },
  };
  return connected;
}
