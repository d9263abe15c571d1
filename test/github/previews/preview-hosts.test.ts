import { describe, expect, it } from '@jest/globals';
import { PREVIEW_HOSTS } from '../../../src/github/previews/preview-hosts.ts';
import type { HeardSignal } from '../../../src/github/previews/signal.ts';
import * as shapes from '../../../src/github/webhooks/event-shapes.ts';
import * as read from '../../../src/github/webhooks/on-preview-signal.ts';
import { HEAD, RECORDED } from './recorded-events.ts';

function readSignal(event: string, payload: object): HeardSignal | null {
  switch (event) {
    case 'deployment_status':
      return read.readDeploymentSignal(shapes.DeploymentStatusShape.parse(payload));
    case 'status':
      return read.readStatusSignal(shapes.StatusShape.parse(payload));
    case 'check_run':
      return read.readCheckSignal(shapes.CheckRunShape.parse(payload));
    default:
      return read.readDispatchSignal(shapes.RepositoryDispatchShape.parse(payload));
  }
}

describe('the table of hosts reads', () => {
  it.each(RECORDED.map((recorded) => [`${recorded.host}: ${recorded.what}`, recorded] as const))(
    '%s',
    (_what, { event, payload, says }) => {
      const signal = readSignal(event, payload);
      const base = { project: '', url: null, headSha: HEAD, owner: 'acme', repo: 'site' };
      expect([signal]).toMatchObject([says === null ? null : { ...base, ...says }]);
    },
  );

  it('every host that it lists', () => {
    const recorded = new Set(RECORDED.map(({ says }) => says?.host));
    expect(PREVIEW_HOSTS.map(({ name }) => name).filter((name) => !recorded.has(name))).toEqual([]);
  });

  it('no link of the code host itself as an address', () => {
    const own = { name: 'site', owner: { login: 'acme' }, html_url: 'https://code.acme.dev/acme/site' };
    const status = { state: 'success', target_url: 'https://code.acme.dev/acme/site/actions/runs/1' };
    const payload = { repository: own, deployment: { sha: HEAD, environment: 'preview' }, deployment_status: status };
    expect(readSignal('deployment_status', payload)).toMatchObject({ state: 'READY', url: null });
  });
});

describe('the ref of a deployment', () => {
  it.each([
    ['refs/pull/7/merge', true],
    ['pull/7/merge', true],
    ['refs/pull/7/head', false],
    ['feature/7/merge', false],
    ['refs/heads/main', false],
    [null, false],
  ])('%p is of a test merge: %p', (ref, isMerge) => {
    expect(read.isMergeRef(ref)).toBe(isMerge);
  });
});
