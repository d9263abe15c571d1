import { afterEach, expect, it, jest } from '@jest/globals';
import { checkBrowser } from '../../src/start/check-browser.ts';
import { memoryLog } from '../support/memory-log.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

it('root is told at each start that the browser has no sandbox', async () => {
  jest.spyOn(process, 'getuid').mockReturnValue(0);
  const log = memoryLog();
  await checkBrowser({ chromiumPath: null, browserWsEndpoint: null }, log.logger);
  expect(log.lines()).toEqual([
    {
      level: 'warn',
      text: expect.stringMatching(/^Chromium runs without its sandbox, because Pixelgate runs as root/),
    },
  ]);
});
