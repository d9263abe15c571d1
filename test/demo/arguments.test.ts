import { describe, expect, it } from '@jest/globals';
import { readArguments } from '../../src/demo/arguments.ts';

describe('the arguments of the demo', () => {
  it('show the demonstration site and stay up when there are none', () => {
    expect(readArguments([])).toEqual({ kind: 'demo', once: false, site: null });
  });

  it('take an address and --once in any order', () => {
    const both = { kind: 'demo', once: true, site: 'https://example.com/' };
    expect(readArguments(['--once', 'https://example.com'])).toEqual(both);
    expect(readArguments(['https://example.com', '--once'])).toEqual(both);
  });

  it('answer --help before anything else', () => {
    expect(readArguments(['--nonsense', '--help'])).toEqual({ kind: 'help' });
  });

  it.each([
    [['--onse'], 'Unknown option: --onse'],
    [['-x'], 'Unknown option: -x'],
    [['example.com'], 'example.com is not an http(s) URL. Use a form like https://example.com.'],
    [['ftp://example.com'], 'ftp://example.com is not an http(s) URL. Use a form like https://example.com.'],
    [['https://a.example', 'https://b.example'], 'The demo takes only one site.'],
  ])('refuse %j', (words, message) => {
    expect(readArguments(words)).toEqual({ kind: 'mistake', message });
  });
});
