import { expect, it } from '@jest/globals';
import { isLoopback } from '../../src/net/loopback.ts';

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
