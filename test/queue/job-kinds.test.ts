import { describe, expect, it } from '@jest/globals';
import { isJobName, JOB_KINDS, JOB_NAMES, parsePayload } from '../../src/queue/job-kinds.ts';

const END_OF_CHECK = { owner: 'acme', repo: 'site', runId: 'r1', name: 'Pixelgate', headSha: 'abc' };

describe('a payload', () => {
  it('holds numbers as numbers', () => {
    const payload = { owner: 'acme', repo: 'site', number: 7 };
    expect(parsePayload('promote-pull-request', payload)).toEqual(payload);
    expect(parsePayload('end-check', { ...END_OF_CHECK, installationId: 12, checkRunId: null })).toEqual({
      ...END_OF_CHECK,
      installationId: 12,
      checkRunId: null,
    });
  });

  it('of another form is none', () => {
    expect(parsePayload('finish-run', { run: 'r1' })).toBeNull();
    expect(parsePayload('refresh-installation', { installationId: '' })).toBeNull();
    expect(parsePayload('refresh-installation', { installationId: '7' })).toBeNull();
    expect(parsePayload('try-page', null)).toBeNull();
  });
});

describe('a kind of job', () => {
  it('ends before graphile-worker takes its lock for stale, after four hours', () => {
    for (const name of JOB_NAMES) expect(JOB_KINDS[name].maxMinutes).toBeLessThan(240);
  });

  it('is known by its name alone', () => {
    expect(JOB_NAMES).toContain('try-page');
    expect(isJobName('of-yesterday')).toBe(false);
    expect(isJobName('toString')).toBe(false);
  });

  it('that follows a suite never ends after one that was queued later', () => {
    const follows = ['judge-suite', 'follow-settings'] as const;
    for (const name of follows) expect(JOB_KINDS[name].queue?.({ suiteId: 's1' })).toBe(`${name}/s1`);
  });

  it('takes turns with every search for the preview of one run', () => {
    const searches = ['find-preview', 'expire-preview', 'follow-base-settings'] as const;
    for (const name of searches) expect(JOB_KINDS[name].queue?.({ runId: 'r1' })).toBe('preview/r1');
  });

  it('takes turns with what else is done to the check of one run', () => {
    const payload = { ...END_OF_CHECK, installationId: 12, checkRunId: null };
    expect(JOB_KINDS['show-check'].queue?.({ runId: 'r1' })).toBe('check/r1');
    expect(JOB_KINDS['end-check'].queue?.(payload)).toBe('check/r1');
  });
});
