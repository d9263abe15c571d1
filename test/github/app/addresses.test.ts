import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/config.ts';
import { apiAddress, webAddress } from '../../../src/github/app/addresses.ts';

describe('the addresses of GitHub', () => {
  it.each<[string, Record<string, string>, string, string]>([
    ['github.com', {}, 'https://github.com', 'https://api.github.com'],
    ['a protocol without a host', { GHE_PROTOCOL: 'http' }, 'https://github.com', 'https://api.github.com'],
    ['a server', { GHE_HOST: 'git.example' }, 'https://git.example', 'https://git.example/api/v3'],
    [
      'a server with a port, in the clear',
      { GHE_HOST: '127.0.0.1:8080', GHE_PROTOCOL: 'http' },
      'http://127.0.0.1:8080',
      'http://127.0.0.1:8080/api/v3',
    ],
  ])('are those of %s', (_what, environment, web, api) => {
    const config = readConfig(environment);
    expect([webAddress(config), apiAddress(config)]).toEqual([web, api]);
  });
});
