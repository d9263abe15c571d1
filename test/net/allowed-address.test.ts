import { describe, expect, it } from '@jest/globals';
import { isLoopback, isPublicAddress, literalAddress } from '../../src/net/checked-lookup.ts';

const REFUSED = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  'link-local, cloud metadata among them': ['169.254.1.1', '169.254.169.254', 'fe80::1', '168.63.129.16'],
  'unique local': ['fc00::1', 'fd00:ec2::254'],
  'carrier-grade NAT': ['100.64.0.1', '100.100.100.200', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  'unspecified and broadcast': ['0.0.0.0', '0.1.2.3', '::', '255.255.255.255'],
  'reserved and documentation': ['192.0.0.192', '192.0.2.1', '198.18.0.1', '203.0.113.9', '240.0.0.1', '2001:db8::1'],
  'IPv4-mapped private': ['::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::ffff:10.0.0.1'],
  'IPv4-compatible': ['::127.0.0.1', '::7f00:1'],
  'NAT64 of a private address': ['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::8.8.8.8'],
  '6to4 and Teredo': ['2002:7f00:1::1', '2002:808:808::1', '2001:0:4136:e378::1'],
  'not an address': ['', 'example.test', '1.2.3.4.5'],
};

describe('isPublicAddress', () => {
  it.each(Object.entries(REFUSED))('refuses %s addresses', (_, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  it('allows public addresses, also inside an IPv6 spelling', () => {
    const addresses = ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'];
    expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([]);
  });
});

describe('literalAddress', () => {
  it('sees through brackets and zones, and takes names for names', () => {
    expect(literalAddress('[::1]')).toBe('::1');
    expect(literalAddress('fe80::1%eth0')).toBe('fe80::1');
    expect(literalAddress('127.0.0.1')).toBe('127.0.0.1');
    for (const name of ['localhost', '1[::1]', '[::1]1']) expect(literalAddress(name)).toBeNull();
  });

  it('finds the address in whatever spelling a URL takes', () => {
    for (const host of ['2130706433', '0x7f.1', '0177.0.0.1', '127.1']) {
      expect(literalAddress(new URL(`http://${host}/`).hostname)).toBe('127.0.0.1');
    }
  });
});

describe('isLoopback', () => {
  it.each([
    'http://localhost:3000',
    'http://app.localhost',
    'http://127.0.0.1',
    'http://127.8.9.10:80/x',
    'http://[::1]:3000',
    'http://0.0.0.0',
    'http://[::]',
    'http://[::ffff:127.0.0.1]',
  ])('only this machine reaches %s', (url) => {
    expect(isLoopback(url)).toBe(true);
  });

  it.each(['https://localhost.example.com', 'http://10.0.0.7', 'http://127.example.com', 'http://[2001:db8::1]'])(
    'others may reach %s',
    (url) => {
      expect(isLoopback(url)).toBe(false);
    },
  );
});
