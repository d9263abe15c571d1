import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { launchBrowser } from '../../src/capture/browser/launch-browser.ts';
import { checkBrowser } from '../../src/start/check-browser.ts';
import { memoryLog } from '../support/memory-log.ts';
import { startServiceProcess } from '../support/service-process.ts';

/** Writes its arguments to `args`, and ends as a browser without a sandbox does. */
const STAND_IN = `#!/bin/sh
[ "$1" != --version ] || { echo 'Chromium 150.0.0.0'; exit 0; }
printf '%s\\n' "$@" > "$(dirname "$0")/args"
echo '[FATAL:zygote_host_impl_linux.cc(128)] No usable sandbox! Update your kernel' >&2
exit 1
`;

let directory: string;
let chromiumPath: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'pixelgate-sandbox-'));
  chromiumPath = path.join(directory, 'chromium');
  await writeFile(chromiumPath, STAND_IN);
  await chmod(chromiumPath, 0o755);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(directory, { recursive: true });
});

const as = (uid: number) => jest.spyOn(process, 'getuid').mockReturnValue(uid);
const readArguments = async () => (await readFile(path.join(directory, 'args'), 'utf8')).split('\n');

const launch = async () =>
  launchBrowser({
    chromiumPath,
    browserWsEndpoint: null,
    proxyUrl: async () => null,
    whyUnreachable: async () => null,
    addresses: async () => [],
  });

it('no user but root ever starts a browser without its sandbox, and is told what is missing', async () => {
  as(1000);
  const log = memoryLog();
  await expect(checkBrowser({ chromiumPath, browserWsEndpoint: null }, log.logger)).rejects.toThrow(
    /^Chromium cannot use its sandbox: .+ \(docs\/operating\.md, Docker\)/,
  );
  const switches = await readArguments();
  expect(switches).toContain('--no-pings');
  expect(switches.filter((each) => each.includes('sandbox'))).toEqual([]);
  await rm(path.join(directory, 'args'));
  await expect(launch()).rejects.toThrow('No usable sandbox');
  expect((await readArguments()).filter((each) => each.includes('sandbox'))).toEqual([]);
});

it('root starts it without, because Chromium has none there', async () => {
  as(0);
  await expect(launch()).rejects.toThrow('No usable sandbox');
  expect(await readArguments()).toContain('--no-sandbox');
});

it('the service does not start with a browser that does not, and says why before it does anything', async () => {
  const starting = startServiceProcess({ CHROMIUM_PATH: chromiumPath, DATA_DIR: path.join(directory, 'data') });
  await expect(starting).rejects.toThrow('Chromium cannot use its sandbox');
  expect(await readdir(directory)).toEqual(['args', 'chromium']);
});
