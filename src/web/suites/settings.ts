import { z } from 'zod';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { Id, inSuite, onSuite } from '../../http/acts-on.ts';
import { END_OF_RUNS } from '../../pull-requests/check/run-check.ts';
import { readUnmatchedSelectors } from '../../runs/results/site-notice-store.ts';
import { readTrial, startTrial } from '../../runs/trials/start-trial.ts';
import type { Trial } from '../../runs/trials/trial.ts';
import { CONFIG_FILE, pathsOf, withoutLocked } from '../../suites/config-file/config-file.ts';
import { badgeMarkdown } from '../../suites/config/public-badge.ts';
import { mergeConfig } from '../../suites/config/suite-config.ts';
import { deleteSuite } from '../../suites/suite-life.ts';
import type { SuiteFor, SuiteForViewer } from '../../suites/suite.ts';
import { updateSuite } from '../../suites/update-suite.ts';
import { formatStatus } from '../../text/format.ts';
import { namePlace } from '../../text/readable-path.ts';
import { readImage } from '../comparison/read-image.ts';
import { asking, buildField, buildFields, ofForm, readTyped, showTyped, type Problem } from '../form-field.ts';
import { linkAccess, listPermissions } from '../permissions.ts';
import { arrangeRules, rulesEditor, type AboutRules } from '../rules/rules-editor.ts';
import { formRoute, pageRoute, redirect, type Reply } from '../web-route.ts';
import * as changed from './controls/changed-settings.ts';
import { configSections } from './controls/config-controls.ts';
import { SettingsForm, SUITE_FIELDS } from './controls/suite-form.ts';
import { atSettings, LISTS, pickSections, settingsLinks, settingsTabs, suitePage } from './suite-head.ts';

function deleteField(problem: Problem | null) {
  const note = 'Enter the name exactly as shown above.';
  const attributes = { autocomplete: 'off', spellcheck: 'false' };
  return buildField({ name: 'confirm', label: 'Type the name to confirm', required: true, note, attributes }, problem);
}

/** What the list of rules shows besides the rules themselves. */
async function aboutRules(ctx: Context, suite: SuiteFor): Promise<AboutRules> {
  return {
    settingsPath: `/suites/${suite.id}/settings`,
    mayEdit: listPermissions(suite.access).edit,
    unmatched: await readUnmatchedSelectors(ctx.db, suite),
  };
}

/** The form of the settings is shown again because its rules were arranged. Nothing is wrong with it. */
const isArranged = (problem: Problem | null) => ofForm(problem, 'arrange') !== null;

/** The section with the form that was sent. Null for the settings, which are in many. */
function findSection(problem: Problem | null): 'rules' | 'danger' | null {
  if (isArranged(problem)) return 'rules';
  return ofForm(problem, 'active') === null && ofForm(problem, 'confirm') === null ? null : 'danger';
}

function settingsModel(
  { publicUrl }: Context['config'],
  suite: SuiteForViewer,
  rules: AboutRules,
  problem: Problem | null,
) {
  const sent = ofForm(problem, 'name');
  // What was typed, and what somebody else has saved since.
  const typed = sent && changed.withConflictsAtFields(sent);
  const { name, baseUrl, description } = suite;
  const about = buildFields(
    {
      name: { ...SUITE_FIELDS.name, value: name },
      baseUrl: { ...SUITE_FIELDS.baseUrl, value: baseUrl },
      description: { ...SUITE_FIELDS.description, value: description },
    },
    typed,
  );
  const sections = configSections(suite, typed, rules);
  const paths: [string, string[]][] = [
    ['about', ['name', 'baseUrl', 'description']],
    ...sections.map(({ id, paths: own }): [string, string[]] => [id, own]),
    ['danger', ['confirm', 'active']],
  ];
  const tabs = settingsTabs(new Map(paths), typed ?? problem, findSection(problem));
  const links = settingsLinks(suite);
  return {
    fields: about,
    version: changed.versionOf(suite, typed),
    locked: pathsOf(suite.configFile).join(' '),
    conflicts: changed.describeConflicts(typed),
    tabs,
    groups: tabs.map(({ id, isFirst, sections: names }) => ({
      id,
      isFirst,
      isSite: id === 'site',
      sections: pickSections(names, sections).map((section) => ({
        ...section,
        markdown: section.id === 'badge' && suite.config.badge ? badgeMarkdown(publicUrl, suite) : null,
      })),
      links: pickSections(names, links),
    })),
    siteIsFirst: tabs[0]?.isFirst === true,
    deleteField: deleteField(ofForm(problem, 'confirm')),
    problem: isArranged(problem) ? null : problem,
  };
}

function describeFile(file: SuiteForViewer['configFile']) {
  if (file === null) return null;
  const { branch, url, problem, lines } = file;
  return { name: CONFIG_FILE, branch, url, problem, locked: Object.keys(lines).length };
}

async function showSettings(ctx: Context, { suite }: { suite: SuiteFor }, problem: Problem | null): Promise<Reply> {
  const { tabs, ...settings } = settingsModel(ctx.config, suite, await aboutRules(ctx, suite), problem);
  const question = `Deactivate ${suite.name}? Unfinished pull request runs will be cancelled.`;
  const fields = [{ name: 'active', value: 'no' }];
  const switchOff = asking('Deactivate', question, `/suites/${suite.id}/active`, { fields });
  const model = { ...settings, configFile: describeFile(suite.configFile), switchOff };
  const at = { tab: 'settings', settings: tabs } as const;
  return suitePage(ctx, suite, at, { view: 'suites/settings', title: 'Settings', model });
}

export const getSettings = pageRoute({ path: '/suites/:id/settings', ...onSuite('suite.read') }, showSettings);

/** Without what the repository's file sets, or set when the page was shown. */
const sentConfig = ({ configFile }: SuiteFor, { settings, locked }: z.output<typeof SettingsForm>) =>
  withoutLocked(settings.config, [...locked, ...pathsOf(configFile)]);

export const postSettings = formRoute(
  {
    path: '/suites/:id/settings',
    ...onSuite('suite.edit'),
    form: SettingsForm,
    redisplay: getSettings.show,
  },
  async (ctx, { suite, form }) => {
    const change = { ...form.settings, config: sentConfig(suite, form) };
    await updateSuite(ctx, suite, change, { seen: form.version });
    return redirect(`/suites/${suite.id}/settings`, 'Settings saved');
  },
);

export const postActive = formRoute(
  {
    path: '/suites/:id/active',
    ...onSuite('suite.edit'),
    form: z.object({ active: z.enum(['yes', 'no']) }),
    redisplay: getSettings.show,
  },
  async (ctx, { suite, form }) => {
    const isActive = form.active === 'yes';
    await updateSuite(ctx, suite, { isActive });
    return redirect(`/suites/${suite.id}/settings`, `${isActive ? 'Activated' : 'Deactivated'} ${suite.name}`);
  },
);

export const postDelete = formRoute(
  {
    path: '/suites/:id/delete',
    ...onSuite('suite.delete'),
    form: z.object({ confirm: z.string() }),
    redisplay: getSettings.show,
  },
  async (ctx, { suite, form }) => {
    if (form.confirm.trim() !== suite.name) {
      throw invalid('The name does not match', [{ path: 'confirm', message: `must be ${suite.name}` }]);
    }
    await deleteSuite(ctx, suite, END_OF_RUNS);
    return redirect(LISTS[suite.kind].href, `Deleted ${suite.name}`);
  },
);

const RULES_PATH = '/suites/:id/settings/rules';

/** The form of the settings, with what the button of a rule sent. */
const ArrangeForm = z.preprocess(readTyped, z.record(z.string(), z.string()));

/** Shows the form again with a rule added, moved or removed. Saves nothing. htmx gets only the rules. */
export const postArrangeRules = formRoute(
  { path: RULES_PATH, ...onSuite('suite.edit'), form: ArrangeForm },
  async (ctx, { suite, form, htmx }) => {
    const problem = showTyped(arrangeRules(form, form['arrange'] ?? ''));
    if (!htmx) return showSettings(ctx, { suite }, problem);
    const model = rulesEditor(suite.config, problem, await aboutRules(ctx, suite));
    return { kind: 'fragment', view: 'rules/editor', model };
  },
);

/** For people who reload the page that a form of the settings returned, or come back to it. */
const backToSettings = (path: string) =>
  pageRoute({ path, ...onSuite('suite.read') }, async (_ctx, { suite }) => redirect(`/suites/${suite.id}/settings`));

export const getArrangedRules = backToSettings(RULES_PATH);
export const getTrialForm = backToSettings('/suites/:id/settings/try');

/** Seconds between two polls of a trial. */
const WAIT = 2;

const Place = z.preprocess(
  readTyped,
  z.object({ trialPath: z.string().trim().min(1, 'must not be empty').max(2000), trialViewport: z.string() }),
);

/** The form of the settings, which need not be saved, with a page. */
export const postTrial = formRoute(
  {
    path: '/suites/:id/settings/try',
    ...onSuite('suite.edit'),
    form: SettingsForm.and(Place),
    redisplay: getSettings.show,
  },
  async (ctx, { suite, form }) => {
    const { trialPath: path, trialViewport: viewport } = form;
    const config = mergeConfig(suite.config, sentConfig(suite, form));
    const id = await startTrial(ctx, suite, { config, path, viewport });
    return redirect(`/suites/${suite.id}/trials/${id}`);
  },
);

async function trialModel(ctx: Context, suite: SuiteFor, trial: Trial) {
  const { visit } = trial;
  const image = await readImage(ctx, trial.file);
  return {
    poll: trial.status === 'PENDING' ? { href: `/suites/${suite.id}/trials/${trial.id}`, seconds: WAIT } : null,
    error: trial.error,
    access: linkAccess(suite),
    image,
    lost: trial.file !== null && image === null,
    ignored: trial.ignoredBoxes,
    unmatched: trial.unmatchedSelectors.length === 0 ? null : trial.unmatchedSelectors.join(', '),
    warnings: trial.warnings,
    visit: visit && { ...visit, status: visit.status === null ? null : formatStatus(visit.status) },
  };
}

/** Shows what rules do to a page: its screenshot with the ignored areas. It polls while the page is captured. */
export const getTrial = pageRoute(
  { path: '/suites/:id/trials/:trialId', ...inSuite('suite.read', { trialId: Id }) },
  async (ctx, { suite, params, htmx }): Promise<Reply> => {
    const trial = await readTrial(ctx, suite, params.trialId);
    const { viewport, origin } = trial;
    const path = (origin === null || origin === suite.origin ? '' : origin) + trial.path;
    const state = await trialModel(ctx, suite, trial);
    const subject = namePlace({ path, viewport });
    if (htmx) return { kind: 'fragment', view: 'rules/trial-state', model: { ...state, subject } };
    const at = { ...atSettings(suite, 'compare'), nested: true };
    const model = { ...state, subject, isAddress: origin !== null };
    return suitePage(ctx, suite, at, { view: 'rules/trial', title: `Test capture · ${subject}`, model });
  },
);
