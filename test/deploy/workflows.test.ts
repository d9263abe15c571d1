import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { readText, readYaml, ROOT } from './read-deploy.ts';

/** The part of the syntax of GitHub's workflows that is used here. A misspelled key is refused. */
const Permissions = z.strictObject({
  contents: z.literal('read'),
  packages: z.literal('write').optional(),
  'id-token': z.literal('write').optional(),
});
const Step = z
  .strictObject({
    id: z.string().optional(),
    name: z.string().optional(),
    uses: z.string().optional(),
    with: z.record(z.string(), z.union([z.string(), z.boolean()])).optional(),
    run: z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
  })
  .refine(({ uses, run }) => (uses === undefined) !== (run === undefined), 'either runs or uses something');
const Needs = z.array(z.string()).optional();
const Job = z.union([
  z.strictObject({ needs: Needs, uses: z.string() }),
  z.strictObject({
    needs: Needs,
    'runs-on': z.string(),
    'timeout-minutes': z.int(),
    permissions: Permissions.optional(),
    strategy: z
      .strictObject({ 'fail-fast': z.boolean(), matrix: z.record(z.string(), z.array(z.string())) })
      .optional(),
    container: z.strictObject({ image: z.string(), options: z.string() }).optional(),
    steps: z.array(Step).min(1),
  }),
]);
const Workflow = z.strictObject({
  name: z.string(),
  on: z.strictObject({
    push: z.union([z.strictObject({ branches: z.array(z.string()) }), z.strictObject({ tags: z.array(z.string()) })]),
    pull_request: z.null().optional(),
    workflow_call: z.null().optional(),
  }),
  permissions: Permissions,
  concurrency: z.strictObject({ group: z.string(), 'cancel-in-progress': z.union([z.boolean(), z.string()]) }),
  jobs: z.record(z.string(), Job),
});

const FOLDER = '.github/workflows';
const read = (file: string) => Workflow.parse(readYaml(`${FOLDER}/${file}`)[0]);
const [ci, release] = [read('ci.yml'), read('release.yml')];
const stepsOf = ({ jobs }: z.infer<typeof Workflow>, name: string) => {
  const job = jobs[name];
  return job !== undefined && 'steps' in job ? job.steps : [];
};
const scripts = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readText('package.json'))).scripts;

describe('each workflow', () => {
  const files = readdirSync(path.join(ROOT, FOLDER));

  it.each(files)('%s has jobs that exist, actions of a version, and scripts of this repository', (file) => {
    const { jobs } = read(file);
    const all = Object.values(jobs);
    const steps = all.flatMap((job) => ('steps' in job ? job.steps : []));
    const called = all.flatMap((job) => ('uses' in job ? [job.uses] : []));
    const names = steps.flatMap(({ run = '' }) => [...run.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name));
    expect(all.flatMap(({ needs = [] }) => needs).filter((needed) => !(needed in jobs))).toEqual([]);
    expect(called.filter((place) => !existsSync(path.join(ROOT, place)))).toEqual([]);
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    expect(actions.filter((uses) => !/^(actions|docker)\/[\w-]+@v\d+$/.test(uses))).toEqual([]);
  });

  it.each(files)('%s puts no text of others into a script', (file) => {
    for (const job of Object.values(read(file).jobs)) {
      for (const { run } of 'steps' in job ? job.steps : []) expect(run ?? '').not.toContain('${{');
    }
  });

  it.each(files)('%s may only read, unless a job says more', (file) => {
    expect(read(file).permissions).toEqual({ contents: 'read' });
  });
});

describe('ci.yml', () => {
  it('does what `.ci/run` does, on the oldest Node and on that of the image', () => {
    expect(stepsOf(ci, 'run').map(({ run }) => run)).toContain('.ci/run');
    const { engines } = z
      .object({ engines: z.object({ node: z.string() }) })
      .parse(JSON.parse(readText('package.json')));
    const oldest = /\d+/.exec(engines.node)?.[0];
    const ofImage = /^FROM node:(\d+)/m.exec(readText('Dockerfile'))?.[1];
    const { run } = ci.jobs;
    expect(run !== undefined && 'strategy' in run ? run.strategy?.matrix['node'] : null).toEqual([oldest, ofImage]);
  });

  it('has the browser and the fonts of the image', () => {
    const packages = /apt-get install -y --no-install-recommends ([\s\S]*)/.exec(stepsOf(ci, 'run')[0]?.run ?? '')?.[1];
    const inImage = [...readText('Dockerfile').matchAll(/^ {4}(chromium\S*|font\S*)/gm)].map(([, name]) => name);
    expect((packages ?? '').trim().split(/\s+/)).toEqual(inImage);
  });
});

describe('release.yml', () => {
  it('publishes nothing before the tag is the version and all tests have passed', () => {
    const { version, test, ...published } = release.jobs;
    expect(stepsOf(release, 'version').some(({ run }) => run?.includes('GITHUB_REF_NAME'))).toBe(true);
    expect(version?.needs).toBeUndefined();
    expect(test).toEqual({ needs: ['version'], uses: `./${FOLDER}/ci.yml` });
    expect(Object.keys(ci.on)).toContain('workflow_call');
    expect(Object.keys(published)).toEqual(['image', 'npm']);
    for (const job of Object.values(published)) expect(job.needs).toEqual(['test']);
  });

  it('builds the image for two architectures, with SBOM and provenance, under the name that deploy/ has', () => {
    const build = stepsOf(release, 'image').find(({ uses }) => uses?.startsWith('docker/build-push-action@'));
    expect(build?.with).toMatchObject({
      platforms: 'linux/amd64,linux/arm64',
      push: true,
      sbom: true,
      provenance: 'mode=max',
    });
    const names = stepsOf(release, 'image').find(({ id }) => id === 'names');
    expect(names?.with).toEqual({
      images: 'ghcr.io/${{ github.repository }}',
      tags: 'type=semver,pattern={{version}}',
    });
  });

  it('publishes the package of the tool, and not the service, with provenance', () => {
    const runs = stepsOf(release, 'npm').flatMap(({ run }) => run ?? []);
    expect(runs.indexOf('npm run pack:cli')).toBeGreaterThan(0);
    expect(runs.at(-1)).toBe('npm publish ./dist/npm --provenance --access public');
    for (const name of ['image', 'npm']) {
      const job = release.jobs[name];
      expect(job !== undefined && 'permissions' in job ? job.permissions?.['id-token'] : null).toBe('write');
    }
  });
});

describe('action.yml', () => {
  it('installs what its build needs, also in a job with NODE_ENV=production', () => {
    const [, flags = ''] = /npm ci (.*?) &&/.exec(readText('action.yml')) ?? [];
    const chosen = flags.split(' ').filter((flag) => /^--(include|omit)=/.test(flag));
    const env = { ...process.env, NODE_ENV: 'production' };
    expect(execFileSync('npm', ['config', 'get', 'omit', ...chosen], { env, encoding: 'utf8' }).trim()).toBe('');
  });
});
