import { expect, it } from '@jest/globals';
import { parseUrl } from '../../src/text/parse-url.ts';

it('knows a URL whose host has an umlaut, however often it is called', () => {
  // The engine compiles what runs often, some thousand times.
  const wrong = Array.from({ length: 20_000 }, (_, i) => parseUrl(`https://${i % 2}.müller.de/`)).filter(
    (url) => url?.hostname.endsWith('.xn--mller-kva.de') !== true,
  );
  expect(wrong).toEqual([]);
});

it('parses an address below a base', () => {
  expect(parseUrl('a?b', 'https://example.com/c/')?.href).toBe('https://example.com/c/a?b');
  for (const text of ['', 'a?b', '//example.com', 'https://', 'https://a b/']) expect(parseUrl(text)).toBeNull();
});
