import { describe, expect, it } from '@jest/globals';
import { diagnoseApp } from '../../../src/github/doctor/diagnose-app.ts';
import type { BranchRules, DoctorFacts, FoundSignal, GrantedFacts } from '../../../src/github/doctor/doctor-facts.ts';
import { diagnose } from '../../../src/github/doctor/examine-suite.ts';

const now = new Date('2030-01-02T12:00:00Z');
const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

const needs = { permissions: { checks: 'write', metadata: 'read' }, events: ['merge_group', 'pull_request'] } as const;

const installation: GrantedFacts = {
  suspended: false,
  permissions: { checks: 'write', metadata: 'read' },
  events: ['merge_group', 'pull_request'],
  settingsUrl: 'https://github.com/settings/installations/7',
};

const preview: FoundSignal = {
  source: 'DEPLOYMENT',
  name: 'Preview',
  project: '',
  host: null,
  state: 'READY',
  url: 'https://p.example',
  seenAt: before(2),
  use: 'TAKEN',
  isPreview: true,
  isOnDefaultBranch: false,
};
const build: FoundSignal = {
  ...preview,
  source: 'STATUS',
  name: 'ci/build',
  url: null,
  use: 'NOT_TAKEN',
  isPreview: false,
};

const WELL: DoctorFacts = {
  now,
  appId: 42,
  app: { known: true, value: { permissions: installation.permissions, events: installation.events } },
  needs: { permissions: { ...needs.permissions }, events: [...needs.events] },
  publicUrl: 'https://gate.example',
  outOfReach: false,
  repository: 'acme/web',
  checkName: 'Pixelgate',
  otherCheckNames: ['Pixelgate / Docs'],
  defaultCheckName: 'Pixelgate',
  summaryName: null,
  installation: { known: true, value: installation },
  rules: {
    known: true,
    value: { branch: 'main', required: [{ context: 'Pixelgate', appId: null }], mergeQueue: false },
  },
  webhookUrl: { known: true, value: 'https://gate.example/api/github/webhooks' },
  lastSent: { known: true, value: { event: 'push', statusCode: 200, deliveredAt: before(1) } },
  deliveries: [
    { event: 'deployment_status', receivedAt: before(2) },
    { event: 'pull_request', receivedAt: before(90) },
  ],
  lookedForMissed: { checkedAt: before(3), problem: null },
  engines: ['chromium 1'],
  images: 'REACHABLE',
  signals: [preview, build],
  namesPreview: false,
  hasTemplate: false,
  lastPreview: { source: 'DEPLOYMENT', name: 'Preview', url: 'https://p.example', seenAt: before(2) },
};

function rules(changes: Partial<BranchRules>): Partial<DoctorFacts> {
  return { rules: { known: true, value: { branch: 'main', required: [], mergeQueue: false, ...changes } } };
}

function installed(changes: Partial<GrantedFacts>): Partial<DoctorFacts> {
  return { installation: { known: true, value: { ...installation, ...changes } } };
}

function findingsOf(changes: Partial<DoctorFacts>) {
  const all = diagnose({ ...WELL, ...changes });
  return Object.fromEntries(all.map((finding) => [finding.name, finding]));
}

/** The findings that are not OK, by name. */
const troubles = (changes: Partial<DoctorFacts>) =>
  Object.values(findingsOf(changes))
    .filter(({ status }) => status !== 'ok')
    .map(({ name, status }) => `${name} ${status}`);

describe('the doctor', () => {
  it('finds nothing where all is well, and says how it is', () => {
    expect(troubles({})).toEqual([]);
    const { deliveries, preview } = findingsOf({});
    expect(deliveries?.message).toBe(
      'The last event (deployment_status) arrived 2 minutes ago, and the last pull request event 1 hour ago.',
    );
    expect(preview?.message).toBe(
      'The last preview was the deployment to “Preview”, at https://p.example, 2 minutes ago.',
    );
  });

  it('gives the sentence that mends it to whatever is not well, and only to that', () => {
    for (const changes of [{}, { deliveries: [] }, installed({ permissions: {}, events: [] })]) {
      for (const { status, remedy } of Object.values(findingsOf(changes))) {
        expect(remedy === null).toBe(status === 'ok');
      }
    }
  });

  it.each<[string, Partial<DoctorFacts>, string[]]>([
    ['a suspended installation', installed({ suspended: true }), ['installation failed']],
    ['a missing permission', installed({ permissions: { metadata: 'read' } }), ['permissions failed']],
    [
      'a permission that is too low',
      installed({ permissions: { checks: 'read', metadata: 'read' } }),
      ['permissions failed'],
    ],
    ['a missing event', installed({ events: ['merge_group'] }), ['events failed']],
    ['a webhook to another place', { webhookUrl: { known: true, value: 'https://old.example/' } }, ['webhook failed']],
    ['no webhook that GitHub shows', { webhookUrl: { known: false, why: 'gone' } }, []],
    ['no webhook address', { webhookUrl: { known: true, value: null } }, ['webhook failed']],
    ['no delivery', { deliveries: [] }, ['deliveries failed']],
    ['no pull request', { deliveries: [{ event: 'status', receivedAt: now }] }, ['deliveries warning']],
    ['no preview', { lastPreview: null, signals: [build] }, ['preview warning']],
    ['no preview but an address', { lastPreview: null, signals: [], hasTemplate: true }, []],
    ['no look for missed events so far', { lookedForMissed: null }, []],
    [
      'events that GitHub does not show',
      { lookedForMissed: { checkedAt: before(3), problem: 'GitHub does not list the deliveries of the app.' } },
      ['missed_events warning'],
    ],
    ['two browsers', { engines: ['chromium 1', 'chromium 2'] }, ['engines warning']],
    ['no rule', rules({}), ['required_check warning']],
    [
      'a repository that the App does not see',
      { rules: { known: false, why: 'gone' } },
      ['installation failed', 'required_check warning', 'merge_queue warning'],
    ],
    [
      'GitHub that is away',
      {
        installation: { known: false, why: 'unreachable' },
        rules: { known: false, why: 'unreachable' },
        webhookUrl: { known: false, why: 'unreachable' },
        lastSent: { known: false, why: 'unreachable' },
      },
      [
        'installation warning',
        'permissions warning',
        'events warning',
        'webhook warning',
        'required_check warning',
        'merge_queue warning',
      ],
    ],
  ])('tells of %s', (_what, changes, expected) => {
    expect(troubles(changes)).toEqual(expected);
  });

  it('takes an App for known that can read its installation, whatever GitHub says of the App itself', () => {
    expect(diagnoseApp(42, { known: false, why: 'gone' }, true).status).toBe('ok');
  });

  it('tells what the App does not ask for from what its account has not accepted', () => {
    const behind = findingsOf(installed({ permissions: { metadata: 'read' }, events: ['pull_request'] }));
    expect(behind['permissions']).toMatchObject({
      status: 'failed',
      message: 'The account has not accepted these permissions of the app: checks: write.',
      remedy: 'Accept the new permissions at https://github.com/settings/installations/7.',
    });
    expect(behind['events']?.remedy).toContain('Accept the new permissions');
    const asked = { permissions: { metadata: 'read' }, events: ['pull_request'] };
    const unasked = findingsOf({ app: { known: true, value: asked } });
    expect(unasked['permissions']).toMatchObject({
      status: 'failed',
      message: 'The app is missing permissions: checks: write.',
    });
    expect(unasked['permissions']?.remedy).toContain('app settings');
    expect(unasked['events']?.remedy).toContain('app settings');
  });

  it('goes by the installation where GitHub does not say what the App asks for', () => {
    const silent = { app: { known: true, value: { permissions: null, events: null } } } as const;
    expect(troubles(silent)).toEqual([]);
    expect(troubles({ ...silent, ...installed({ permissions: {}, events: [] }) })).toEqual([
      'permissions failed',
      'events failed',
    ]);
  });

  it('is calm where GitHub has sent nothing yet', () => {
    expect(troubles({ deliveries: [], lastSent: { known: true, value: null } })).toEqual(['deliveries warning']);
  });

  it('takes more access than is needed for enough', () => {
    expect(troubles(installed({ permissions: { checks: 'write', metadata: 'write' } }))).toEqual([]);
  });

  it('allows for a relay where the service is on a laptop', () => {
    const webhookUrl = { known: true, value: 'https://smee.example/abc' } as const;
    expect(troubles({ publicUrl: 'http://localhost:3000', outOfReach: true, webhookUrl })).toEqual(['webhook warning']);
  });

  it('does not believe that GitHub delivers to an address that it cannot reach', () => {
    const webhookUrl = { known: true, value: 'http://127.0.0.1:3000/api/github/webhooks' } as const;
    const changes = { publicUrl: 'http://127.0.0.1:3000', outOfReach: true, webhookUrl };
    expect(troubles(changes)).toEqual(['webhook failed']);
  });
});

describe('the previews', () => {
  const found = (changes: Partial<DoctorFacts>) => findingsOf(changes)['preview'];

  it('that are several are named, with the remedy', () => {
    const each = { ...preview, use: 'ONE_OF_SEVERAL' } as const;
    expect(
      found({
        signals: [
          { ...each, name: 'Preview – app' },
          { ...each, name: 'Preview – docs' },
        ],
      }),
    ).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('deployment “Preview – app” and deployment “Preview – docs”'),
      remedy: expect.stringContaining('.github/pixelgate.yml'),
    });
  });

  it('that the suite does not take are named beside the one that it takes', () => {
    const other = { ...preview, name: 'Preview – app', use: 'NOT_TAKEN' } as const;
    expect(found({ signals: [preview, other, build], namesPreview: true })).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/^The last preview was .+ Not used: deployment “Preview – app”\.$/),
    });
  });

  it('that are named and were never heard of are told beside those that were', () => {
    const signals = [{ ...preview, use: 'NOT_TAKEN' as const }];
    expect(found({ signals, namesPreview: true, lastPreview: null })?.message).toContain(
      'Received: deployment “Preview”.',
    );
  });

  it('of the default branch are no previews, unless pull requests have them too', () => {
    const stray = { ...preview, isOnDefaultBranch: true };
    expect(found({ signals: [stray] })).toMatchObject({
      status: 'warning',
      remedy: expect.stringContaining('pull_request'),
    });
    expect(found({ signals: [{ ...stray, name: 'staging' }] })?.status).toBe('ok');
    expect(found({ signals: [preview, stray] })?.status).toBe('ok');
  });
});

describe('the App', () => {
  it.each([
    ['gone', 'APP_ID'],
    ['refused', 'PRIVATE_KEY'],
  ] as const)('that is %s is mended by %s', (why, variable) => {
    const finding = diagnoseApp(42, { known: false, why }, false);
    expect(finding).toMatchObject({ status: 'failed', remedy: expect.stringContaining(variable) });
  });
});

describe('the branch rules', () => {
  const required = (...names: [string, (number | null)?][]) =>
    findingsOf(rules({ required: names.map(([context, appId = null]) => ({ context, appId })) }))['required_check'];

  it.each<[string, [string, (number | null)?][]]>([
    ['our check', [['Pixelgate']]],
    ['our check from our App', [['Pixelgate', 42]]],
    ['our check and those of others', [['build'], ['Pixelgate'], ['Pixelgate / Docs', 42]]],
  ])('are right with %s', (_what, names) => {
    expect(required(...names)?.status).toBe('ok');
  });

  it.each([
    ['in another case', 'pixelgate'],
    ['of a workflow', 'Pixelgate / build'],
    ['with a blank', 'Pixelgate '],
  ])('name the check that never arrives: one %s', (_what, context) => {
    const finding = required([context], ['build']);
    expect(finding?.status).toBe('failed');
    expect(finding?.remedy).toBe(`In the rules of main, replace “${context}” with “Pixelgate”.`);
  });

  it('tell of a name that only our App could report, and that nothing does', () => {
    expect(required(['Pixelgate'], ['Visual review', 42])?.status).toBe('failed');
  });

  it('tell of our name asked of another App', () => {
    expect(required(['Pixelgate', 15_368])?.message).toContain('from a different app');
  });

  it('may require anything else without ours being required', () => {
    expect(required(['build', 15_368])?.status).toBe('warning');
  });
});

describe('the merge queue', () => {
  const queue = (changes: Partial<DoctorFacts>) => findingsOf(changes)['merge_queue'];

  it('needs the event where there is one', () => {
    const on = rules({ mergeQueue: true, required: [{ context: 'Pixelgate', appId: null }] });
    expect(queue(on)?.status).toBe('ok');
    expect(queue({ ...on, ...installed({ events: ['pull_request'] }) })?.status).toBe('failed');
    expect(queue(installed({ events: ['pull_request'] }))?.status).toBe('ok');
  });
});

describe("GitHub's last delivery", () => {
  const sent = (statusCode: number, minutes: number) =>
    findingsOf({
      lastSent: { known: true, value: { event: 'pull_request', statusCode, deliveredAt: before(minutes) } },
    })['deliveries'];

  it('tells of another secret', () => {
    expect(sent(401, 1)).toMatchObject({ status: 'failed', remedy: expect.stringContaining('WEBHOOK_SECRET') });
  });

  it.each([
    [0, 'got no response'],
    [502, 'got response 502'],
  ])('tells of %i', (statusCode, words) => {
    expect(sent(statusCode, 1)).toMatchObject({ status: 'failed', message: expect.stringContaining(words) });
  });

  it('is forgotten once others have come', () => {
    expect(sent(502, 10)?.status).toBe('ok');
  });
});
