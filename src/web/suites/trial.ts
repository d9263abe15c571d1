import { z } from 'zod';
import type { Context } from '../../context.ts';
import { Id, inSuite, onSuite } from '../../http/acts-on.ts';
import { readTrial, startTrial } from '../../runs/trials/start-trial.ts';
import type { Trial } from '../../runs/trials/trial.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { formatStatus } from '../../text/format.ts';
import { readImage } from '../comparison/read-image.ts';
import { readTyped } from '../form-field.ts';
import { linkAccess } from '../permissions.ts';
import { formRoute, pageRoute, redirect, type Reply } from '../web-route.ts';
import { SettingsForm } from './controls/suite-form.ts';
import { atSettings } from './settings-tabs.ts';
import { getSettings } from './settings.ts';
import { suitePage } from './suite-head.ts';

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
    const { trialPath, trialViewport, settings } = form;
    const id = await startTrial(ctx, suite, { config: settings.config, path: trialPath, viewport: trialViewport });
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
    const subject = `${path} at ${viewport}`;
    if (htmx) return { kind: 'fragment', view: 'rules/trial-state', model: { ...state, subject } };
    const at = { ...atSettings(suite, 'compare'), nested: true };
    const model = { ...state, subject, isAddress: origin !== null };
    return suitePage(ctx, suite, at, { view: 'rules/trial', title: `Test capture · ${subject}`, model });
  },
);
