/**
 * The rules that must not break without notice, each with the tests that hold it. `database`: they need PostgreSQL, so that
 * each mutant takes seconds.
 */
export const GROUPS = [
  {
    name: 'outcome',
    mutate: ['src/runs/outcome.ts:11-80'],
    tests: ['test/runs/outcome.test.ts', 'test/runs/outcome.properties.test.ts'],
  },
  {
    name: 'roles',
    mutate: ['src/access/role.ts', 'src/access/authorized.ts'],
    tests: ['test/access/role.test.ts', 'test/access/viewer-access.test.ts'],
  },
  {
    name: 'approvable',
    mutate: ['src/review/approval/approvable.ts'],
    tests: ['test/runs/results/review-section.test.ts'],
  },
  {
    name: 'versions',
    mutate: ['src/baselines/baseline.ts:1-200'],
    tests: ['test/baselines/next-version.test.ts'],
  },
  {
    name: 'events',
    mutate: ['src/pull-requests/pull-request.ts', 'src/github/webhooks/event-table.ts'],
    tests: ['test/pull-requests/pull-request.test.ts', 'test/github/webhooks/event-subject.test.ts'],
  },
  {
    name: 'signatures',
    mutate: ['src/storage/signed-address.ts', 'src/github/webhooks/webhook-receiver.ts:9-20', 'src/secrets/seal.ts'],
    tests: [
      'test/storage/signed-address.test.ts',
      'test/github/webhooks/webhook-receiver.test.ts',
      'test/secrets/seal.test.ts',
    ],
  },
  {
    name: 'bands',
    mutate: ['src/compare/changed-bands.ts'],
    tests: ['test/compare/changed-bands.test.ts'],
  },
  {
    name: 'alignment',
    mutate: ['src/compare/align/*.ts'],
    tests: ['test/compare/align/*.test.ts'],
  },
  {
    name: 'changes',
    mutate: ['src/elements/region.ts', 'src/elements/find-changes.ts', 'src/elements/match-elements.ts'],
    tests: [
      'test/elements/find-changes.test.ts',
      'test/elements/find-pixel-changes.test.ts',
      'test/elements/match-elements.test.ts',
      'test/elements/region.test.ts',
    ],
  },
  {
    name: 'rules',
    mutate: ['src/suites/config/page-rule.ts:222-240', 'src/text/globs.ts', 'src/text/typed-number.ts'],
    tests: [
      'test/suites/config/page-globs.test.ts',
      'test/text/globs.test.ts',
      'test/text/globs.properties.test.ts',
      'test/text/typed-number.test.ts',
    ],
  },
  {
    name: 'checks',
    mutate: ['src/pull-requests/check/check-title.ts', 'src/pull-requests/check/check-verdict.ts'],
    tests: [
      'test/pull-requests/check/check-page.test.ts',
      'test/pull-requests/check/check-verdict.test.ts',
      'test/pull-requests/check/desired-check.test.ts',
    ],
  },
  {
    name: 'targets',
    mutate: ['src/net/checked-lookup.ts:1-49', 'src/http/own-path.ts', 'src/storage/object-name.ts'],
    tests: ['test/net/allowed-address.test.ts', 'test/http/own-path.test.ts', 'test/storage/object-name.test.ts'],
  },
  {
    name: 'promotion',
    database: true,
    mutate: ['src/baselines/promote-results.ts', 'src/pull-requests/promote-merged-run.ts'],
    tests: [
      'test/baselines/concurrent-promotions.db.test.ts',
      'test/baselines/promote-results.db.test.ts',
      'test/github/checks/promote-pull-request.db.test.ts',
      'test/pull-requests/follow-baselines.db.test.ts',
      'test/pull-requests/promote-merged-run.db.test.ts',
    ],
  },
  {
    name: 'verdicts',
    database: true,
    mutate: ['src/review/approval/undo-approval.ts', 'src/review/verdicts/seen.ts'],
    tests: [
      'test/review/approval/undo-approval.db.test.ts',
      'test/review/approval/undone-version.db.test.ts',
      'test/review/approval/verdicts.db.test.ts',
    ],
  },
];
