import path from 'node:path';
import { COMPOSITION, DOMAINS, EDGES, FOLDERS, FOUNDATION, INFRASTRUCTURE, PACKAGES, SHARED, WEB } from './rooms.js';

const infrastructure = Object.keys(INFRASTRUCTURE);
const edges = Object.keys(EDGES);
const rooms = [...FOUNDATION, ...infrastructure, ...DOMAINS, ...edges, 'cli'];

const topOf = (room) => room.split('/')[0];

/** The room itself and the rooms that it may import. */
function allowedFor(room) {
  if (FOUNDATION.includes(room)) return FOUNDATION;
  if (room in INFRASTRUCTURE) return [room, ...FOUNDATION, 'net', ...INFRASTRUCTURE[room]];
  const place = DOMAINS.indexOf(room);
  if (place >= 0) return [...FOUNDATION, ...infrastructure, ...DOMAINS.slice(0, place + 1)];
  if (room in EDGES) return [room, ...FOUNDATION, ...infrastructure, ...DOMAINS, ...EDGES[room]];
  // The command line tool talks to a server over HTTP only.
  return [room, ...FOUNDATION];
}

function foreignPackages(room) {
  return Object.entries(PACKAGES)
    .filter(([, owners]) => !owners.includes(topOf(room)))
    .map(([name, owners]) => ({ name, message: `${name} belongs to ${owners.join(', ') || 'no room'}.` }));
}

/**
 * What a store offers to edges: reads that take what `getSuiteFor` or `getRunFor` has authorized, as `tables.test.ts`
 * makes sure of.
 */
const AUTHORIZED_NAMES = '^read[A-Z]';

/**
 * What a store offers to the domains on its right: these and other reads, lines for a log, names that the code host has
 * changed, and writes without a rule beside the statement (`keep`, `drop`). Its other writes follow rules, so only the use
 * cases of its room may call them.
 */
const OPEN_NAMES = '^(read|find|count|has|lock|append|keep|drop|rename|relink)[A-Z]';

function foreignStores(room, folder) {
  // From a room inside `github/`, or a folder of a room, other rooms lie one folder further away.
  const isNested = room.includes('/') || folder !== undefined;
  const regex = isNested ? String.raw`^\.\./\.\./.*-store\.ts$` : String.raw`^\.\./.*-store\.ts$`;
  return DOMAINS.includes(room)
    ? { regex, allowImportNamePattern: OPEN_NAMES, message: 'What a store writes is private to its room.' }
    : {
        regex,
        allowImportNamePattern: AUTHORIZED_NAMES,
        message: 'Of a store, edges may call only `read…`, which takes an authorized suite or run.',
      };
}

/** Two rooms inside `github/`. One imports the other without naming `github`: `../checks/show-check.ts`. */
const isBeside = (room, other) => room.includes('/') && other.includes('/') && topOf(room) === topOf(other);
const neighborPattern = (room) => String.raw`^\.\./${room.split('/')[1]}/`;

/** Folders of `web/` that come after this one. */
function laterFolders(room, folder) {
  if (room !== 'web' || folder === undefined) return [];
  return WEB.slice(WEB.indexOf(folder) + 1).map((later) => ({
    // What is in the folder around this one lies in `..` itself.
    regex: folder.startsWith(`${later}/`) ? String.raw`^\.\./[^./]+\.ts$` : `^${path.posix.relative(folder, later)}/`,
    message: `web/${folder}/ may not import web/${later}/, which comes after it.`,
  }));
}

function importRule(room, folder) {
  const allowed = allowedFor(room);
  const foreign = rooms.filter((other) => !allowed.includes(other));
  const message = `${room}/ may not import this room: make it a job, or pass a value in.`;
  return [
    'error',
    {
      paths: foreignPackages(room),
      patterns: [
        { group: foreign.map((other) => `**/${other}/**`), message },
        ...foreign
          .filter((other) => isBeside(room, other))
          .map((other) => ({ regex: neighborPattern(other), message })),
        foreignStores(room, folder),
        ...laterFolders(room, folder),
        { group: COMPOSITION.map((file) => `**/${file}.ts`), message: 'Composition is imported by nothing.' },
      ],
    },
  ];
}

const ruleFor = (room, folder) => ({
  files: [folder === undefined ? `**/src/${room}/**` : `**/src/${room}/${folder}/**`],
  rules: { 'no-restricted-imports': importRule(room, folder) },
});

/** The files at the top that rooms import. The others there connect the rooms, and may import all of them. */
const sharedRules = Object.entries(SHARED).map(([file, allowed]) => ({
  files: [`**/src/${file}.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: foreignPackages(file),
        patterns: [
          {
            group: rooms.filter((room) => !allowed.includes(room)).map((room) => `./${room}/**`),
            message: `${file}.ts may not import this room.`,
          },
          { group: COMPOSITION.map((other) => `./${other}.ts`), message: 'Composition is imported by nothing.' },
        ],
      },
    ],
  },
}));

/** A folder comes after the one around it, whose rule it replaces. */
const folderRules = [
  ...Object.entries(FOLDERS).flatMap(([room, folders]) => folders.map((folder) => ruleFor(room, folder))),
  ...WEB.filter((folder) => folder.includes('/')).map((folder) => ruleFor('web', folder)),
];

export default {
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'jest', 'promise', 'node'],
  categories: { correctness: 'error', suspicious: 'error' },
  env: { node: true, es2024: true },
  rules: {
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
    'typescript/no-unsafe-type-assertion': 'error',
    'typescript/await-thenable': 'error',
    'typescript/consistent-type-imports': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'no-console': 'error',
    'no-param-reassign': 'error',
    eqeqeq: 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'node/no-process-env': 'error',
    'no-restricted-properties': ['error', { object: 'URL', property: 'canParse', message: 'Use parseUrl.' }],
    'no-shadow': 'off',
    'no-await-in-loop': 'off',
    'no-underscore-dangle': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'import/no-unassigned-import': 'off',
    'import/no-named-as-default': 'off',
    'import/no-named-as-default-member': 'off',
    'promise/always-return': 'off',
    'typescript/consistent-return': 'off',
  },
  overrides: [
    {
      files: ['**/src/**'],
      rules: { 'import/no-default-export': 'error', 'max-lines-per-function': ['error', { max: 60 }] },
    },
    ...rooms.map((room) => ruleFor(room)),
    ...folderRules,
    ...sharedRules,
    {
      files: ['**/src/config.ts', '**/src/cli.ts', '**/demo/**', '**/test/**'],
      rules: { 'node/no-process-env': 'off' },
    },
    { files: ['**/demo/**', '**/test/**'], rules: { 'no-console': 'off', 'no-restricted-properties': 'off' } },
    {
      files: ['**/test/**'],
      rules: {
        'typescript/no-unsafe-type-assertion': 'off',
        'typescript/consistent-type-assertions': 'off',
        'typescript/unbound-method': 'off',
        'typescript/no-explicit-any': 'off',
      },
    },
    {
      files: ['**/views/**'],
      env: { browser: true, node: false },
      rules: { 'max-lines-per-function': ['error', { max: 60 }] },
    },
  ],
};
