import { describe, expect, it } from '@jest/globals';
import { autoTrackLimit, compileAutoTrack } from '../../../src/suites/config/auto-track.ts';
import {
  effectiveConfig,
  SuiteConfigInput as Input,
  type SuiteConfigInput,
} from '../../../src/suites/config/suite-config.ts';

const tracked = (config: SuiteConfigInput, paths: string[]) => paths.filter(compileAutoTrack(effectiveConfig(config)));
const refused = (autoTrack: unknown) => Input.safeParse({ autoTrack }).error?.issues.map(({ path }) => path.join('.'));

describe('what is tracked automatically', () => {
  it('is nothing unless it is asked for', () => {
    expect(effectiveConfig({}).autoTrack).toBe('off');
    expect(autoTrackLimit(effectiveConfig({}))).toBeNull();
    expect(tracked({}, ['/'])).toEqual([]);
  });

  it('is every page, or those that the globs name, with their query or without', () => {
    expect(tracked({ autoTrack: 'all' }, ['/', '/a?b=1'])).toEqual(['/', '/a?b=1']);
    const autoTrack = { paths: ['/docs/**', '!/docs/old', '/'] };
    const pages = ['/', '/docs/a', '/docs/a?page=2', '/docs/old', '/docs/old?page=2', '/blog'];
    expect(tracked({ autoTrack }, pages)).toEqual(['/', '/docs/a', '/docs/a?page=2']);
  });

  it('leaves out what the rules skip at every viewport', () => {
    const rules = [
      { paths: ['/live'], skip: true },
      { paths: ['/wide'], viewports: ['mobile'], skip: true },
    ];
    expect(tracked({ autoTrack: 'all', rules }, ['/', '/live', '/wide'])).toEqual(['/', '/wide']);
  });

  it('is bounded by the most pages of a crawl, or by its own limit', () => {
    expect(autoTrackLimit(effectiveConfig({ autoTrack: 'all', maxPages: 7 }))).toBe(7);
    expect(autoTrackLimit(effectiveConfig({ autoTrack: { paths: ['**'] }, maxPages: 7 }))).toBe(7);
    expect(autoTrackLimit(effectiveConfig({ autoTrack: { paths: ['**'], limit: 9 }, maxPages: 7 }))).toBe(9);
  });

  it('is refused when it is none of these', () => {
    for (const wrong of ['some', 1, {}, { paths: [] }, { paths: ['a'], limit: 0 }, { paths: ['a'], more: 1 }]) {
      expect(refused(wrong)?.every((path) => path.startsWith('autoTrack'))).toBe(true);
    }
    for (const right of ['off', 'all', null, { paths: ['a'] }, { paths: ['a'], limit: 5 }]) {
      expect(refused(right)).toBeUndefined();
    }
  });
});
