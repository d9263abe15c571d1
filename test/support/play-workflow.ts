import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../documents/markdown.ts';

const Scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const Values = z.record(z.string(), Scalar);
const Step = z.strictObject({
  id: z.string().optional(),
  uses: z.string().optional(),
  with: Values.optional(),
  run: z.string().optional(),
  shell: z.literal('bash').optional(),
  'working-directory': z.string().optional(),
  env: Values.optional(),
});
type Step = z.output<typeof Step>;

const Workflow = z.strictObject({
  on: z.string(),
  permissions: Values.optional(),
  jobs: z.record(
    z.string(),
    z.strictObject({ if: z.string().optional(), 'runs-on': z.string(), steps: z.array(Step).min(1) }),
  ),
});

const Action = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputs: z.record(
    z.string(),
    z.strictObject({ description: z.string(), required: z.boolean().optional(), default: Scalar.optional() }),
  ),
  outputs: z.record(z.string(), z.strictObject({ description: z.string(), value: z.string() })),
  runs: z.strictObject({ using: z.literal('composite'), steps: z.array(Step).min(1) }),
});

/** What expressions read: `github`, `inputs`, `steps`. */
type Contexts = Record<string, unknown>;

function lookUp(contexts: Contexts, term: string): unknown {
  if (!/^[a-z_]+(\.[\w-]+)+$/.test(term)) throw new Error(`${term} is more than this test understands`);
  return term
    .split('.')
    .reduce<unknown>(
      (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
      contexts,
    );
}

/** An expression of names, `||` and `==`. */
function evaluate(contexts: Contexts, expression: string): unknown {
  const [left = '', right] = expression.split('==').map((side) => side.trim());
  if (right !== undefined) return lookUp(contexts, left) === lookUp(contexts, right);
  const values = expression.split('||').map((term) => lookUp(contexts, term.trim()));
  return values.find((value) => value !== undefined && value !== '') ?? '';
}

const fill = (contexts: Contexts, text: string) =>
  text.replaceAll(/\$\{\{(.*?)\}\}/g, (_all, expression: string) => String(evaluate(contexts, expression.trim())));

const fillAll = (contexts: Contexts, values: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fill(contexts, value)]));

/** What the steps of a job came to. A step that fails ends the job. */
export type Played = { code: number; outputs: Record<string, string>; summary: string; log: string };

export type Job = {
  /** The workflow's text. */
  workflow: string;
  /** The `github` context. */
  github: Record<string, unknown>;
  /** Beyond what every step has. */
  environment: Record<string, string>;
  /** Where the repository is checked out. */
  workspace: string;
  /** Inputs that differ from those that the workflow says. */
  inputs: Record<string, string>;
};

type Scope = { job: Job; contexts: Contexts };

async function execute(file: string, args: string[], options: { cwd: string; env: Record<string, string> }) {
  return new Promise<{ code: number; log: string }>((resolve) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, log: stdout + stderr });
    });
  });
}

/** With the shell, the files and the variables that a runner gives to a step. */
async function runStep({ job, contexts }: Scope, step: Step): Promise<Played> {
  const directory = await mkdtemp(path.join(tmpdir(), 'pixelgate-step-'));
  const file = (name: string) => path.join(directory, name);
  for (const name of ['output', 'summary']) await writeFile(file(name), '');
  await writeFile(file('script'), fill(contexts, step.run ?? ''));
  const { code, log } = await execute('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file('script')], {
    cwd: fill(contexts, step['working-directory'] ?? job.workspace),
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: job.workspace,
      GITHUB_ACTIONS: 'true',
      ...job.environment,
      GITHUB_OUTPUT: file('output'),
      GITHUB_STEP_SUMMARY: file('summary'),
      ...fillAll(contexts, step.env),
    },
  });
  const lines = (await readFile(file('output'), 'utf8')).split('\n').filter((line) => line !== '');
  const outputs = Object.fromEntries(lines.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]));
  const summary = await readFile(file('summary'), 'utf8');
  await rm(directory, { recursive: true });
  return { code, outputs, summary, log };
}

async function playSteps(scope: Scope, steps: Step[], play: (scope: Scope, step: Step) => Promise<Played>) {
  const all: Played = { code: 0, outputs: {}, summary: '', log: '' };
  for (const step of steps) {
    const { code, outputs, summary, log } = await play(scope, step);
    all.summary += summary;
    all.log += log;
    all.code = code;
    if (step.id !== undefined) Object.assign(scope.contexts['steps'] ?? {}, { [step.id]: { outputs } });
    if (code !== 0) break;
  }
  return all;
}

/** Our own action, from its file. */
async function playAction({ job, contexts }: Scope, given: Record<string, string>): Promise<Played> {
  const action = Action.parse(parse(await readFile(path.join(ROOT, 'action.yml'), 'utf8')));
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(action.inputs, name));
  const missing = Object.keys(action.inputs).filter((name) => action.inputs[name]?.required && !(name in given));
  const wrong = [...unknown, ...missing];
  if (wrong.length > 0) throw new Error(`Inputs that the action does not have, or needs: ${wrong.join(', ')}`);
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, fill(contexts, input.default ?? '')]);
  const inner = { ...contexts, inputs: { ...Object.fromEntries(defaults), ...given }, steps: {} };
  const played = await playSteps({ job, contexts: inner }, action.runs.steps, runStep);
  const values = Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, value]));
  return { ...played, outputs: fillAll(inner, values) };
}

/** What runners have anyway, here. */
const READY = new Set(['actions/checkout@v4', 'actions/setup-node@v4']);

async function playStep(scope: Scope, step: Step): Promise<Played> {
  if (step.run !== undefined) return runStep(scope, step);
  if (step.uses !== undefined && READY.has(step.uses)) return { code: 0, outputs: {}, summary: '', log: '' };
  if (step.uses === 'your-account/pixelgate@main') {
    return playAction(scope, { ...fillAll(scope.contexts, step.with), ...scope.job.inputs });
  }
  throw new Error(`This test knows no ${step.uses}`);
}

/**
 * Plays the only job of a workflow as GitHub's runner does, step by step. `null`: its `if` says that it does not run.
 * @throws for what GitHub would not accept, and for expressions beyond names, `||` and `==`
 */
export async function playWorkflow(job: Job): Promise<Played | null> {
  const { jobs } = Workflow.parse(parse(job.workflow));
  const [only, ...others] = Object.values(jobs);
  if (only === undefined || others.length > 0) throw new Error('The workflow has not just one job');
  const contexts = { github: { ...job.github, action_path: ROOT }, steps: {} };
  if (only.if !== undefined && evaluate(contexts, only.if) !== true) return null;
  let outputs: Record<string, string> = {};
  const played = await playSteps({ job, contexts }, only.steps, async (scope, step) => {
    const one = await playStep(scope, step);
    outputs = { ...outputs, ...one.outputs };
    return one;
  });
  return { ...played, outputs };
}

/** Fills a workspace with a repository without dependencies, whose `npm run build` writes this page to `dist`. */
export async function checkOut(workspace: string, page: string): Promise<void> {
  const name = { name: 'docs', version: '1.0.0' };
  const build = `const fs = require('node:fs');
    fs.mkdirSync('dist', { recursive: true });
    fs.writeFileSync('dist/index.html', ${JSON.stringify(page)});`;
  const files = {
    'build.cjs': build,
    'package.json': JSON.stringify({ ...name, scripts: { build: 'node build.cjs' } }),
    'package-lock.json': JSON.stringify({ ...name, lockfileVersion: 3, packages: { '': name } }),
  };
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(workspace, file), text);
}
