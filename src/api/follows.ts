import { z } from 'zod';
import type { Context } from '../context.ts';
import { onSuite } from '../http/acts-on.ts';
import { readSuiteChoice } from '../notices/choice-store.ts';
import { ChoiceChange, HEARS, SuiteChoiceChange } from '../notices/choice.ts';
import { changeChoice, changeSuiteChoice, readChoice } from '../notices/choices.ts';
import { TELLS } from '../notices/target.ts';
import { followSuite } from '../suites/suite-life.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { route } from './api-route.ts';
import { named, namedObject } from './suite-schemas.ts';

const chosen = {
  hears: named('Hears', z.enum(HEARS)).nullable().describe('By email. null: as for all suites'),
  tells: z.enum(TELLS).nullable().describe('null: as for all suites'),
};

const SuiteFollow = namedObject('SuiteFollow', {
  following: z
    .boolean()
    .describe('Whether the suite’s newest run is on the caller’s dashboard, and the caller may hear of it by email'),
  ...chosen,
});

const EmailChoices = namedObject('EmailChoices', {
  isConfigured: z.boolean().describe('false: there is no mail server, so nothing is sent'),
  hears: chosen.hears.unwrap().describe('Of the suites that the caller follows. Each includes those after it'),
  tells: chosen.tells
    .unwrap()
    .describe('With ALL, the ends of which runs: those that failed or wait for a review, or all'),
});

const present = async (ctx: Context, suite: SuiteFor, following: boolean) => ({
  following,
  ...(await readSuiteChoice(ctx.db, suite)),
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
    body: named('FollowInput', SuiteChoiceChange.describe('Omitted fields keep their values')),
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
    body: named('EmailChoicesInput', ChoiceChange.describe('Omitted fields keep their values')),
    response: EmailChoices,
  },
  async (ctx, { viewer, body }) => {
    await changeChoice(ctx, viewer, body);
    return { isConfigured: ctx.mailer.configured, ...(await readChoice(ctx, viewer)) };
  },
);
