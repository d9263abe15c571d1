import { personName } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { onSuite } from '../../http/acts-on.ts';
import { startAddressTrial } from '../../runs/trials/start-trial.ts';
import {
  changeSiteAccess,
  deleteSiteAccess,
  readSiteAccess,
  type AccessReport,
} from '../../suites/site-access/change-site-access.ts';
import { ACCESS_WORDS } from '../../suites/site-access/site-access.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { buildControl, buildField, type Problem } from '../form-field.ts';
import { formRoute, pageRoute, redirect, type Reply } from '../web-route.ts';
import {
  ACCESS_SECTIONS,
  AccessForm,
  readAccess,
  type AccessFields,
  type AccessFormName,
  type AccessSection,
} from './controls/access-form.ts';
import { atSettings, suitePage } from './suite-head.ts';

const PROBLEMS: Record<NonNullable<AccessReport['problem']>, string> = {
  OTHER_ORIGIN:
    'The suite’s URL has changed since this was set, so nothing is sent. Set all of it again: the first part that you set replaces the rest.',
  OTHER_SECRET: 'This was encrypted with a different JWT_SECRET and can’t be read. Set it again.',
};

function warningsOf({ problem, unusedPreviewHosts: unused }: AccessReport): string[] {
  const dropped = `Nothing is sent to ${unused.join(', ')} any more, because other people could have a matching host. Replace it under Previews.`;
  return [...(problem === null ? [] : [PROBLEMS[problem]]), ...(unused.length === 0 ? [] : [dropped])];
}

/** Text in these forms may be secret, in names as well as in values, so fields of secrets come back empty. */
const KEPT = new Set([
  'login.path',
  'login.selector0',
  'login.selector1',
  'login.selector2',
  'login.submit',
  'login.shows',
  'login.ends',
  'previewHosts',
  'tryAddress',
]);

function withoutSecrets(problem: Problem): Problem {
  const typed = Object.fromEntries(Object.entries(problem.typed).filter(([name]) => KEPT.has(name)));
  return { ...problem, typed };
}

function problemOf(form: AccessFormName, problem: Problem | null): Problem | null {
  return problem?.typed['form'] === form ? withoutSecrets(problem) : null;
}

function sectionModel({ kind, title, note, fields }: AccessSection, report: AccessReport, refused: Problem | null) {
  const set = report.kinds.find((each) => each.kind === kind);
  const problem = problemOf(kind, refused);
  return {
    kind,
    title,
    note,
    isSet: set !== undefined,
    names: set?.names.join(', ') ?? '',
    isOpen: problem !== null,
    fields: fields.map((spec) => buildControl(spec, problem)),
  };
}

function changeModel({ at, by, kinds }: AccessReport['changes'][number]) {
  const what =
    kinds.length === 0 ? 'removed all site access' : `set ${kinds.map((kind) => ACCESS_WORDS[kind]).join(', ')}`;
  return { at, by: personName(by), what };
}

function hostsField({ previewHosts }: AccessReport, problem: Problem | null) {
  const note =
    'One per line: full host names, or patterns such as *.preview.example.com and *--acme.netlify.app. Every matching host gets the values, so all of them must be yours. On Vercel, Render and others a stranger may have a host that matches: enter full host names there, or use a domain of your own.';
  const attributes = { rows: 3, spellcheck: 'false', autocomplete: 'off' };
  const value = previewHosts.join('\n');
  return buildField(
    { name: 'previewHosts', label: 'Preview hosts', type: 'textarea', value, note, attributes },
    problem,
  );
}

function tryField(problem: Problem | null) {
  const note = 'A path on the site, or the full URL of a preview.';
  const attributes = { autocomplete: 'off', maxlength: 2000 };
  return buildField({ name: 'tryAddress', label: 'Address', value: '/', required: true, note, attributes }, problem);
}

export const getSiteAccess = pageRoute(
  { path: '/suites/:id/access', ...onSuite('suite.access') },
  async (ctx, { suite }, problem) => {
    const report = await readSiteAccess(ctx, suite);
    const model = {
      path: `/suites/${suite.id}/access`,
      problem,
      warnings: warningsOf(report),
      origin: suite.origin,
      isSet: report.kinds.length > 0,
      sections: ACCESS_SECTIONS.map((section) => sectionModel(section, report, problem)),
      hosts: hostsField(report, problemOf('hosts', problem)),
      shownHosts: report.previewHosts.join(' '),
      tryField: tryField(problemOf('try', problem)),
      changes: report.changes.map(changeModel),
    };
    const at = { ...atSettings(suite, 'access'), nested: true };
    return suitePage(ctx, suite, at, { view: 'suites/access', title: 'Site access', model });
  },
);

async function removeKind(
  ctx: Context,
  suite: SuiteFor<'suite.access'>,
  { form, origin }: AccessFields,
): Promise<void> {
  const { kinds } = await readSiteAccess(ctx, suite);
  if (kinds.every(({ kind }) => kind === form)) await deleteSiteAccess(ctx, suite);
  else await changeSiteAccess(ctx, suite, { [form]: null }, { origin });
}

async function act(ctx: Context, suite: SuiteFor<'suite.access'>, fields: AccessFields): Promise<Reply> {
  const { form } = fields;
  const here = `/suites/${suite.id}/access`;
  if (form === 'try') {
    const id = await startAddressTrial(ctx, suite, fields['tryAddress'] ?? '');
    return redirect(`/suites/${suite.id}/trials/${id}`);
  }
  if (form !== 'hosts' && fields.remove !== undefined) {
    await removeKind(ctx, suite, fields);
    return redirect(here, `Removed: ${ACCESS_WORDS[form]}`);
  }
  const { origin, shownHosts } = fields;
  const previewHosts = shownHosts?.split(' ').filter((host) => host !== '');
  await changeSiteAccess(ctx, suite, readAccess(form, fields), { origin, previewHosts });
  return redirect(here, form === 'hosts' ? 'Preview hosts saved' : `Saved: ${ACCESS_WORDS[form]}`);
}

export const postSiteAccess = formRoute(
  {
    path: '/suites/:id/access',
    ...onSuite('suite.access'),
    form: AccessForm,
    redisplay: getSiteAccess.show,
  },
  async (ctx, { suite, form }) => act(ctx, suite, form),
);
