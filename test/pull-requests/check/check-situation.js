/*
 * Situations of checks, for tests and for the pictures of `npm run screenshots`. Plain JavaScript, because the script that
 * takes the pictures runs without a compiler.
 */

/** @type {import('../../../src/pull-requests/check/check-links.ts').CheckLinks} */
export const links = {
  run: 'https://gate.example.com/runs/r1',
  suite: 'https://gate.example.com/suites/s1',
  settings: 'https://gate.example.com/suites/s1/settings',
  access: 'https://gate.example.com/suites/s1/access',
  doctor: 'https://gate.example.com/suites/s1/repository?look=doctor',
  resultUrl: (id) => `https://gate.example.com/runs/r1/results/${id}`,
  cropUrl: ({ file }) => `https://gate.example.com/files/${file}?expires=1&signature=s`,
};

let made = 0;

/**
 * A result that passed, with the given fields changed.
 * @param {Partial<import('../../../src/pull-requests/check/check.ts').CheckResult>} said
 * @returns {import('../../../src/pull-requests/check/check.ts').CheckResult}
 */
export function result(said = {}) {
  made += 1;
  return {
    id: `result-${made}`,
    path: `/page-${made}`,
    viewport: 'desktop',
    status: 'PASS',
    cause: null,
    causePullRequest: null,
    approved: false,
    isNew: false,
    diffScore: 0,
    cut: false,
    servers: null,
    currentFile: 'current.png',
    changeIds: null,
    carriedOver: false,
    approverName: null,
    ...said,
  };
}

/**
 * @param {number} count
 * @param {Partial<import('../../../src/pull-requests/check/check.ts').CheckResult>} said
 */
export const results = (count, said = {}) => Array.from({ length: count }, () => result(said));

const BOX = { x: 0, y: 0, width: 320, height: 96 };

/**
 * What a change looks like on three pages at two viewports, with the given fields changed.
 * @param {Partial<import('../../../src/review/changes/change-group.ts').Variant>} said
 * @returns {import('../../../src/review/changes/change-group.ts').Variant}
 */
export function variant(said = {}) {
  const [before, after] = ['before', 'after'].map((name) => ({ changeId: 'c1', file: `${name}.png`, box: BOX }));
  const crops = { before, after, wholeBefore: before, wholeAfter: after };
  return {
    id: '1'.repeat(32),
    paths: ['/', '/prices', '/about'],
    viewports: ['desktop', 'mobile'],
    count: 6,
    pending: 6,
    undecided: 6,
    drift: false,
    place: 0,
    occurrences: [],
    pictures: [{ resultId: 'r1', path: '/', viewport: 'desktop', approved: false, held: false, ...crops }],
    ...said,
  };
}

/**
 * A change that waits for its approval, on three pages at two viewports, with the given fields changed.
 * @param {Partial<import('../../../src/review/changes/change-group.ts').ChangeGroup>} said
 * @returns {import('../../../src/review/changes/change-group.ts').ChangeGroup}
 */
export function group(said = {}) {
  return {
    key: 'd'.repeat(32),
    kind: 'RESTYLED',
    element: 'nav a.cta',
    summary: 'background #1a7f37 → #0969da',
    before: null,
    after: null,
    paths: ['/', '/prices', '/about'],
    viewports: ['desktop', 'mobile'],
    count: 6,
    pending: 6,
    undecided: 6,
    faint: false,
    drift: false,
    beforeCrop: { changeId: 'c1', file: 'before.png', box: BOX },
    afterCrop: { changeId: 'c1', file: 'after.png', box: BOX },
    variantCount: 1,
    variants: [variant()],
    ...said,
  };
}

/**
 * A completed run of a pull request with these results.
 * @param {import('../../../src/pull-requests/check/check.ts').CheckResult[]} of
 * @param {Partial<import('../../../src/pull-requests/check/check.ts').CheckSituation['run']>} run
 * @param {Partial<import('../../../src/pull-requests/check/check.ts').CheckSituation>} said
 * @returns {import('../../../src/pull-requests/check/check.ts').CheckSituation}
 */
export function situation(of, run = {}, said = {}) {
  const git = {
    prNumber: 7,
    headSha: 'abc1234def5678abc1234def5678abc1234def56',
    enqueued: true,
    baseBranch: 'main',
    previewUrl: 'https://pr-7.preview.example',
  };
  return {
    run: {
      id: 'r1',
      number: 5,
      status: 'COMPLETED',
      reviewState: 'NOT_REQUIRED',
      metadata: null,
      isGated: true,
      settingsHash: null,
      settingsApprovedAt: null,
      buildId: null,
      assignees: [],
      git,
      ...run,
    },
    totalResults: of.length,
    results: of,
    changes: { groups: [], total: 0, undecided: 0 },
    heard: { differences: 0, pages: 0 },
    requests: [],
    search: null,
    others: [],
    isPast: false,
    settings: null,
    ...said,
  };
}

const WAITING = { git: { headSha: 'abc1234def', enqueued: false } };
const changed = () => [
  result({ status: 'FAIL', path: '/', diffScore: 12.25 }),
  result({ status: 'FAIL', path: '/', viewport: 'mobile', diffScore: 8 }),
  result({ status: 'FAIL', path: '/prices', diffScore: 0.42, cut: true }),
];
const groups = () => [
  group(),
  group({
    key: 'e'.repeat(32),
    kind: 'ADDED',
    element: 'main p.note',
    summary: 'added',
    paths: ['/prices'],
    viewports: ['desktop'],
    count: 1,
    pending: 1,
    beforeCrop: null,
  }),
  group({ key: 'f'.repeat(32), element: '', summary: '14 px taller', faint: true, count: 2, paths: ['/', '/about'] }),
];
/** @param {Partial<import('../../../src/review/changes/change-group.ts').ChangeGroup>} said */
const withGroups = (said = {}) => ({
  changes: { groups: groups().map((each) => ({ ...each, ...said })), total: 3, undecided: 3 },
});
/** @type {import('../../../src/pull-requests/previews/preview-search.ts').NamedSignal[]} */
const SIGNALS = ['docs', 'shop'].map((project) => ({
  source: 'DEPLOYMENT',
  name: `Preview – ${project}`,
  project: '',
  link: `https://${project}.preview.example/`,
}));
const search = { matcher: null, fallback: null, used: null, candidates: [], failed: null };

/**
 * Each kind of check that there is.
 * @type {[string, import('../../../src/pull-requests/check/check.ts').CheckSituation][]}
 */
export const STATES = [
  ['waiting', situation([], { status: 'PENDING', ...WAITING })],
  ['which-preview', situation([], { status: 'PENDING', ...WAITING }, { search: { ...search, candidates: SIGNALS } })],
  ['capturing', situation([...results(34), ...results(86, { status: 'PENDING' })], { status: 'RUNNING' })],
  [
    'review-required',
    situation(
      [
        ...changed(),
        ...results(2, { isNew: true, diffScore: null }),
        ...results(3, { status: 'FAIL', cause: 'DRIFT', diffScore: 2 }),
        ...results(51),
      ],
      { reviewState: 'PENDING' },
      withGroups(),
    ),
  ],
  [
    'approved',
    situation(
      changed().map((each) => ({ ...each, approved: true, approverName: 'Ada', carriedOver: true })),
      { reviewState: 'APPROVED' },
      withGroups({ pending: 0 }),
    ),
  ],
  [
    'one-server',
    situation(
      changed().map((each) => ({ ...each, servers: 'MAYBE_ONE' })),
      { reviewState: 'PENDING' },
      withGroups(),
    ),
  ],
  ['unchanged', situation([...results(12), ...results(2, { isNew: true, diffScore: null })])],
  [
    'not-counted',
    situation([
      ...results(3, { status: 'FAIL', cause: 'DRIFT', diffScore: 2 }),
      ...results(2, { status: 'FAIL', cause: 'BEHIND', causePullRequest: 812, diffScore: 1 }),
      ...results(7),
    ]),
  ],
  [
    'errors',
    situation(
      [...results(2, { status: 'ERROR', currentFile: null, diffScore: null }), ...changed(), ...results(4)],
      { reviewState: 'PENDING' },
      withGroups(),
    ),
  ],
  ['failed', situation(results(1), { status: 'FAILED', metadata: { error: 'The run could not be finished' } })],
  ['not-gated', situation(changed(), { isGated: false, reviewState: 'PENDING' }, withGroups())],
  ['no-preview', situation([], { status: 'FAILED', metadata: { reason: 'preview_timeout' }, ...WAITING })],
  [
    'unusable-preview',
    situation([], {
      status: 'FAILED',
      metadata: { reason: 'preview_unusable', error: 'The preview asks to sign in.' },
      ...WAITING,
    }),
  ],
  [
    'failed-deployment',
    situation(
      [],
      { status: 'FAILED', metadata: { reason: 'preview_failed' }, ...WAITING },
      { search: { ...search, failed: SIGNALS[0] ?? null } },
    ),
  ],
  [
    'broken-file',
    situation([], { status: 'FAILED', metadata: { reason: 'config_file', error: 'line 2: paths: [' }, ...WAITING }),
  ],
  ['no-tracked-pages', situation([], { metadata: { reason: 'no_tracked_pages' } })],
  ['superseded', situation([], { status: 'CANCELLED', metadata: { reason: 'superseded', by: 'def5678abc' } })],
  ['cancelled', situation(changed(), { status: 'CANCELLED', metadata: { reason: 'cancelled by a user' } })],
];
