import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/config.ts';
import { apiAddress, isOutOfReach, webAddress } from '../../../src/github/app/addresses.ts';

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

const isRefused = (publicUrl: string, enterpriseHost: string | null = null) =>
  isOutOfReach({ publicUrl, github: { enterpriseHost } });

describe('an address that GitHub is to deliver events to', () => {
  it.each([
    'http://localhost:3000',
    'http://gate.localhost',
    'http://127.0.0.1:3000',
    'http://127.1.2.3',
    'http://[::1]:3000',
    'http://0.0.0.0',
    'http://10.0.0.5',
    'https://172.20.1.1',
    'http://192.168.1.20:8080',
    'http://169.254.10.1',
    'http://100.64.0.1',
    'http://[fd00::1]',
    'http://[fe80::1]',
    'http://[::ffff:10.0.0.1]',
    'http://gate',
    'http://gate.local.',
    'https://gate.corp.internal',
    'http://gate.home.arpa',
  ])('is out of reach at %s', (url) => {
    expect(isRefused(url)).toBe(true);
  });

  it.each([
    'https://gate.example.com',
    'https://local.example.com',
    'http://203.0.114.7:8443',
    'http://[2a00:1450::1]',
  ])('is within reach at %s', (url) => {
    expect(isRefused(url)).toBe(false);
  });

  it('may be in the private network of an Enterprise Server, but not only on this machine', () => {
    expect(isRefused('http://gate.corp.internal', 'github.corp.internal')).toBe(false);
    expect(isRefused('http://10.0.0.5', 'github.corp.internal')).toBe(false);
    expect(isRefused('http://localhost:3000', 'github.corp.internal')).toBe(true);
  });
});
