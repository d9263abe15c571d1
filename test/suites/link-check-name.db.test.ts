import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chooseCheckName, linkedSuites } from '../../src/suites/linked-suites.ts';
import type { CodeHostLink, SuiteForViewer } from '../../src/suites/suite.ts';
import { createTestDatabase } from '../support/database.ts';
import { newSuite, newViewer, worldOn } from '../support/world.ts';

let repositories = 0;
let repo: string;

const database = await createTestDatabase();
const world = worldOn(database.db);
const viewer = await newViewer(world);
afterAll(() => database.drop());
beforeEach(() => {
  repositories += 1;
  repo = `Site${repositories}`;
});

const linkTo = (checkContext?: string): CodeHostLink => ({
  owner: 'Acme',
  repo,
  installationId: 1,
  ...(checkContext === undefined ? {} : { checkContext }),
});

/** Does the same as `updateSuite`. */
async function link(suite: SuiteForViewer, wanted: CodeHostLink): Promise<string | null> {
  return world.db.transaction(async (trx) => {
    const settled = await chooseCheckName(trx, world.ctx.config, suite, wanted);
    await trx('test_suites')
      .where({ id: suite.id })
      .update({
        codehost_owner: settled.owner,
        codehost_repo: settled.repo,
        codehost_installation_id: settled.installationId,
        codehost_check_context: settled.checkContext ?? null,
      });
    return settled.checkContext ?? null;
  });
}

const suites = () => Promise.all([1, 2, 3].map(() => newSuite(world, viewer, [])));

describe('linking suites to one repository', () => {
  it('gives the second a check name of its own, which stays when the first goes', async () => {
    const [first, second] = await suites();
    if (first === undefined || second === undefined) throw new Error('There are no suites');
    expect(await link(first, linkTo())).toBeNull();
    expect(await link(second, { ...linkTo(), owner: 'ACME' })).toBe('Pixelgate / Site');
    await world.db('test_suites').where({ id: first.id }).update({ is_active: false });
    const linked = await linkedSuites(world.ctx, { owner: 'acme', repo: repo.toLowerCase() });
    expect(linked.map(({ suite, checkName }) => [suite.id, checkName])).toEqual([[second.id, 'Pixelgate / Site']]);
  });

  it('leaves a suite its name when it is linked again', async () => {
    const [first, second] = await suites();
    if (first === undefined || second === undefined) throw new Error('There are no suites');
    await link(first, linkTo());
    await link(second, linkTo('visual'));
    expect(await link(first, linkTo())).toBeNull();
    expect(await link(second, linkTo('visual'))).toBe('visual');
  });

  it('refuses a name that another suite has', async () => {
    const [first, second] = await suites();
    if (first === undefined || second === undefined) throw new Error('There are no suites');
    await link(first, linkTo());
    await expect(link(second, linkTo('pixelgate'))).rejects.toMatchObject({ details: { code: 'check_name_taken' } });
  });

  it('gives different names to suites that are linked at once', async () => {
    const names = await Promise.all((await suites()).map((suite) => link(suite, linkTo())));
    expect(new Set(names).size).toBe(3);
  });
});
