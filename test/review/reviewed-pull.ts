import type { Viewer } from '../../src/auth/user.ts';
import type { PullRequest } from '../../src/pull-requests/pull-request.ts';
import * as github from '../github/check-world.ts';
import { sha } from '../github/webhooks/pull-request-payloads.ts';
import { shareSuite } from '../support/requests.ts';
import { newViewer, type OwnSuite, type World } from '../support/world.ts';

/** A suite of Ann's that Ben reviews, and a pull request. */
export type ReviewedPull = { ann: Viewer; ben: Viewer; suite: OwnSuite; pull: PullRequest };

/** @param nth of its file, so that pull requests and heads differ */
export async function reviewedPull(world: World, nth: number): Promise<ReviewedPull> {
  const [ann, ben] = [await newViewer(world), await newViewer(world)];
  const suite = await github.linkedSuite(world, ann, ['/', '/a']);
  await shareSuite(world.ctx, ann, suite, { userId: ben.id, role: 'REVIEWER' });
  const pull = await github.newPullRequest(world, { number: 900 + nth, headSha: sha(`c${nth}`) });
  return { ann, ben, suite, pull };
}
