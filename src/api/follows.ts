import type { Context } from '../context.ts';
import { onSuite } from '../http/acts-on.ts';
import { changeChoice, changeSuiteChoice, readChoice, readSuiteChoice } from '../notices/choices.ts';
import { followSuite } from '../suites/follow-suite.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { route } from './api-route.ts';
import { EmailChoices, EmailChoicesInput, FollowInput, SuiteFollow } from './schemas/suite-schemas.ts';

const present = async (ctx: Context, suite: SuiteFor, following: boolean) => ({
  following,
  ...(await readSuiteChoice(ctx, suite)),
});

export const getFollow = route(
  {
    operationId: 'readFollow',
    summary: 'Read whether the caller follows a suite, and what they hear of it by email',
    ...onSuite('suite.read'),
    response: SuiteFollow,
  },
  async (ctx, { suite }) => present(ctx, suite, suite.isFollowed),
);

export const putFollow = route(
  {
    operationId: 'followSuite',
    summary: 'Follow a suite: its newest run is on the caller’s dashboard',
    description:
      'The owner follows a suite from the start, as does everyone with whom it is shared. The body says what the caller hears of it by email.',
    ...onSuite('suite.read'),
    body: FollowInput,
    bodyOptional: true,
    response: SuiteFollow,
  },
  async (ctx, { suite, body }) => {
    await changeSuiteChoice(ctx, suite, body);
    return present(ctx, suite, true);
  },
);

export const deleteFollow = route(
  {
    operationId: 'unfollowSuite',
    summary: 'Stop following a suite, and forget what to hear of it',
    ...onSuite('suite.read'),
    response: SuiteFollow,
  },
  async (ctx, { suite }) => {
    await followSuite(ctx, suite, false);
    return present(ctx, suite, false);
  },
);

export const getEmailChoices = route(
  { operationId: 'readEmailChoices', summary: 'Read what the caller hears by email', response: EmailChoices },
  async (ctx, { viewer }) => ({ isConfigured: ctx.mailer.configured, ...(await readChoice(ctx, viewer)) }),
);

export const patchEmailChoices = route(
  {
    operationId: 'changeEmailChoices',
    summary: 'Change what the caller hears by email',
    description:
      'Of all suites that the caller follows, except those for which `PUT /test-suites/{id}/follow` says otherwise.',
    body: EmailChoicesInput,
    response: EmailChoices,
  },
  async (ctx, { viewer, body }) => {
    await changeChoice(ctx, viewer, body);
    return { isConfigured: ctx.mailer.configured, ...(await readChoice(ctx, viewer)) };
  },
);
