import { describe, expect, it } from '@jest/globals';
import { isJobName, JOB_KINDS, JOB_NAMES, parsePayload } from '../../src/queue/job-kinds.ts';

const END_OF_CHECK = { owner: 'acme', repo: 'site', runId: 'r1', name: 'Pixelgate', headSha: 'abc' };
const GROUP = { owner: 'acme', repo: 'site', headSha: 'abc', headRef: 'gh-readonly-queue/main/pr-7-abc' };

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

  it('is still understood as an earlier version wrote it: numbers as text, nothing for null', () => {
    const number = { owner: 'acme', repo: 'site', number: '7' };
    expect(parsePayload('promote-pull-request', number)).toEqual({ ...number, number: 7 });
    expect(parsePayload('refresh-installation', { installationId: '99' })).toEqual({ installationId: 99 });
    expect(parsePayload('judge-merge-group', { ...GROUP, installationId: '12' })).toEqual({
      ...GROUP,
      installationId: 12,
    });
    const check = { ...END_OF_CHECK, installationId: '12', checkRunId: '' };
    expect(parsePayload('end-check', check)).toEqual({ ...END_OF_CHECK, installationId: 12, checkRunId: null });
    expect(parsePayload('end-check', { ...check, checkRunId: '607' })).toMatchObject({ checkRunId: 607 });
  });

  it('of another form is none', () => {
    expect(parsePayload('finish-run', { run: 'r1' })).toBeNull();
    expect(parsePayload('refresh-installation', { installationId: '' })).toBeNull();
    expect(parsePayload('refresh-installation', { installationId: 'seven' })).toBeNull();
    expect(parsePayload('capture-page', null)).toBeNull();
  });
});

describe('a kind of job', () => {
  it('ends before graphile-worker takes its lock for stale, after four hours', () => {
    for (const name of JOB_NAMES) expect(JOB_KINDS[name].maxMinutes).toBeLessThan(240);
  });

  it('is known by its name alone', () => {
    expect(JOB_NAMES).toContain('capture-page');
    expect(isJobName('of-yesterday')).toBe(false);
    expect(isJobName('toString')).toBe(false);
  });

  it('takes turns with what else is done to the check of one run', () => {
    const payload = { ...END_OF_CHECK, installationId: 12, checkRunId: null };
    expect(JOB_KINDS['show-check'].queue?.({ runId: 'r1' })).toBe('check/r1');
    expect(JOB_KINDS['end-check'].queue?.(payload)).toBe('check/r1');
  });
});
