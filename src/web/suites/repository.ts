import { z } from 'zod';
import { authorize } from '../../access/authorized.ts';
import type { Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { conflict } from '../../errors.ts';
import { readCredentials } from '../../github/app/credentials.ts';
import type { FindingName, FindingStatus, FoundSignal, SignalUse } from '../../github/doctor/doctor-facts.ts';
import { examineSuite } from '../../github/doctor/examine-suite.ts';
import { listInstallations } from '../../github/sign-in/list-linkable.ts';
import { onSuite } from '../../http/acts-on.ts';
import { describeSignal } from '../../pull-requests/previews/preview-search.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { nameLink } from '../../suites/record-changes.ts';
import { toRepositoryKey, type SuiteFor, type SuiteForViewer } from '../../suites/suite.ts';
import { updateSuite } from '../../suites/update-suite.ts';
import { askGitHub } from '../ask-github.ts';
import type { Badge } from '../badge.ts';
import { asking, type Problem } from '../form-field.ts';
import type { IconName } from '../icons.ts';
import { listPermissions } from '../permissions.ts';
import { formRoute, pageRoute, redirect } from '../web-route.ts';
import { choiceValue, Linked, linkedField, linkFields, LinkForm, linkSuite } from './link-form.ts';
import { atSettings, suitePage } from './suite-head.ts';

const NAMES: Record<FindingName, string> = {
  app: 'GitHub App',
  link: 'Link',
  installation: 'Installation',
  permissions: 'Permissions',
  events: 'Events',
  webhook: 'Webhook',
  deliveries: 'Deliveries',
  preview: 'Preview',
  required_check: 'Required check',
  engines: 'Browsers',
  images: 'Images in checks',
  missed_events: 'Missed events',
  merge_queue: 'Merge queue',
};

const LOOKS: Record<FindingStatus, { icon: IconName; tone: string; word: string }> = {
  ok: { icon: 'check-circle-fill', tone: 'success', word: 'OK' },
  warning: { icon: 'alert', tone: 'attention', word: 'Warning' },
  failed: { icon: 'x-circle-fill', tone: 'danger', word: 'Failed' },
};

const VERDICTS: Record<FindingStatus, string> = {
  ok: 'Everything is set up correctly.',
  warning: 'Checks should work, but fix these warnings.',
  failed: 'Checks won’t appear until you fix these problems.',
};

const USES: Record<SignalUse, Badge> = {
  TAKEN: { label: 'Used', tone: 'success', icon: 'check-circle' },
  ONE_OF_SEVERAL: { label: 'One of several', tone: 'attention', icon: 'alert' },
  NOT_TAKEN: { label: 'Not used', tone: 'muted', icon: 'skip' },
};

const STATES: Record<FoundSignal['state'], string> = {
  PENDING: 'running',
  READY: 'ready',
  FAILED: 'failed',
  SKIPPED: 'skipped',
};

/** The results of checking everything that a pull request's check depends on. */
async function doctorModel(ctx: Context, suite: SuiteFor) {
  const examine = async () => examineSuite(ctx, suite);
  const { found, failure } = await askGitHub(ctx, 'could not examine the setup of a suite', examine, {
    suiteId: suite.id,
  });
  if (found === null) return { failure };
  const { status, findings, signals, checkName, at } = found;
  return {
    failure,
    verdict: VERDICTS[status],
    tone: LOOKS[status].tone,
    findings: findings.map(({ name, status: each, ...finding }) => ({ ...LOOKS[each], ...finding, name: NAMES[name] })),
    signals: signals.map((signal) => ({
      ...signal,
      badge: USES[signal.use],
      name: describeSignal(signal),
      state: STATES[signal.state],
    })),
    checkName,
    at,
  };
}

async function readChoiceGroups(ctx: Context, viewer: Viewer, { codehost }: SuiteForViewer) {
  const linked = codehost === null ? null : `${codehost.owner}/${codehost.repo}`.toLowerCase();
  return (await listInstallations(ctx, viewer)).map(({ installationId, accountLogin, repos }) => ({
    account: accountLogin,
    repositories: repos.map((fullName) => ({
      value: choiceValue(installationId, fullName),
      label: fullName,
      selected: fullName.toLowerCase() === linked,
    })),
  }));
}

/** If GitHub does not list them, people can still enter one manually. */
async function repositoryChoices(ctx: Context, viewer: Viewer, suite: SuiteForViewer) {
  const read = async () => readChoiceGroups(ctx, viewer, suite);
  const doing = 'GitHub did not return the list of repositories';
  const { found, failure } = await askGitHub(ctx, doing, read, { suiteId: suite.id });
  const groups = (found ?? []).filter(({ repositories }) => repositories.length > 0);
  const { checkContext } = linkFields(suite, ctx.config.checkName, null);
  return { groups, failure, checkContext, linked: [linkedField(suite)] };
}

/** The parts that ask GitHub are slow: htmx fetches them after the page has loaded. Without scripts a link shows them. */
const PARTS = ['choices', 'doctor'] as const;
const Query = z.object({ look: z.enum(PARTS).nullable().catch(null) });

function linkModel(suite: SuiteForViewer) {
  const { id, name, codehost } = suite;
  if (codehost === null) return null;
  const repository = nameLink(codehost);
  return {
    repository,
    installationId: String(codehost.installationId),
    checkContext: codehost.checkContext ?? null,
    unlink: asking(
      'Unlink',
      `Unlink ${repository} from ${name}? Its pull requests will no longer get a check, and unfinished pull request runs will be cancelled.`,
      `/suites/${id}/unlink`,
      { button: 'Unlink repository', fields: [linkedField(suite)] },
    ),
  };
}

/** A check name that is taken is an issue of the suite's link. */
function atField(problem: Problem): Problem {
  const taken = problem.fields['codehost.checkContext'];
  return taken === undefined ? problem : { ...problem, fields: { ...problem.fields, checkContext: taken } };
}

/** The whole page, or for htmx one of its parts. */
export const getRepository = pageRoute(
  { path: '/suites/:id/repository', ...onSuite('suite.read'), query: Query },
  async (ctx, { suite, query: { look }, htmx }, refused) => {
    const { viewer } = suite;
    const problem = refused && atField(refused);
    const path = `/suites/${suite.id}/repository`;
    if (htmx && look === 'doctor') {
      return { kind: 'fragment', view: 'suites/doctor', model: { doctor: await doctorModel(ctx, suite) } };
    }
    if (htmx && look === 'choices') {
      const choices = await repositoryChoices(ctx, viewer, authorize(viewer, suite, 'suite.link'));
      return { kind: 'fragment', view: 'suites/repository-choices', model: { choices, path } };
    }
    const connected = (await readCredentials(ctx)) !== null;
    const mayChoose = connected && listPermissions(suite.access).link;
    const model = {
      problem,
      path,
      connected,
      link: linkModel(suite),
      mayChoose,
      choices: mayChoose && look === 'choices' ? await repositoryChoices(ctx, viewer, suite) : null,
      doctor: look === 'doctor' ? await doctorModel(ctx, suite) : null,
      // Without a linked repository or a connection to GitHub, there is nothing to check.
      examines: connected || suite.codehost !== null,
      byHand: {
        open: problem !== null || !mayChoose,
        fields: linkFields(suite, ctx.config.checkName, problem),
        linked: [linkedField(suite)],
      },
    };
    return suitePage(ctx, suite, atSettings(suite, 'pulls'), { view: 'suites/repository', title: 'Repository', model });
  },
);

export const postRepository = formRoute(
  { path: '/suites/:id/repository', ...onSuite('suite.edit'), form: LinkForm, redisplay: getRepository.show },
  async (ctx, { suite, form: { linked, ...link } }) => {
    await linkSuite(ctx, suite, link, linked);
    return redirect(`/suites/${suite.id}/repository`, `Linked to ${nameLink(link)}`);
  },
);

/** Reads the repository again, for events that GitHub did not deliver and no longer redelivers. */
export const postSynchronize = formRoute(
  { path: '/suites/:id/synchronize', ...onSuite('suite.run'), redisplay: getRepository.show },
  async (ctx, { suite }) => {
    if (suite.codehost === null) throw conflict('The suite is not linked to a repository', 'not_linked');
    await enqueue(ctx.db, 'synchronize-repository', { ...toRepositoryKey(suite.codehost), what: 'everything' });
    return redirect(`/suites/${suite.id}/repository`, 'Synchronization queued');
  },
);

export const postUnlink = formRoute(
  { path: '/suites/:id/unlink', ...onSuite('suite.edit'), form: Linked, redisplay: getRepository.show },
  async (ctx, { suite, form: { linked } }) => {
    await updateSuite(ctx, suite, { codehost: null }, { linked });
    return redirect(`/suites/${suite.id}/repository`, 'Repository unlinked');
  },
);
