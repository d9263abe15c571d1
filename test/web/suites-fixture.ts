import type { SuiteRole } from '../../src/access/role.ts';
import { createSuite } from '../../src/suites/suite-life.ts';
import type { Account, Answer, TestApi } from '../support/api-client.ts';
import { shareSuite } from '../support/requests.ts';
import type { OwnSuite } from '../support/world.ts';

/** The owner of a suite, one person with each role on it, and one without a role. */
export type People = Record<'owner' | 'stranger' | Lowercase<SuiteRole>, Account>;

export async function peopleOf(api: TestApi): Promise<People> {
  const names = ['owner', 'viewer', 'reviewer', 'editor', 'admin', 'stranger'] as const;
  const [owner, viewer, reviewer, editor, admin, stranger] = await Promise.all(names.map((name) => api.account(name)));
  if (!owner || !viewer || !reviewer || !editor || !admin || !stranger) throw new Error('An account was not made');
  return { owner, viewer, reviewer, editor, admin, stranger };
}

/** A suite on which all people except the stranger have their role. */
export async function sharedSuite({ ctx }: TestApi, people: People, name = 'Docs'): Promise<OwnSuite> {
  const suite = await createSuite(ctx, people.owner.user, { name, baseUrl: 'http://site.test' });
  for (const role of ['VIEWER', 'REVIEWER', 'EDITOR', 'ADMIN'] as const) {
    const person = people[role.toLowerCase() as Lowercase<SuiteRole>];
    await shareSuite(ctx, people.owner.user, suite, { userId: person.user.id, role });
  }
  return suite as OwnSuite;
}

/** The path that a POST redirects to. */
export const ledTo = ({ status, headers }: Answer) => `${status} ${headers.get('location') ?? ''}`;
