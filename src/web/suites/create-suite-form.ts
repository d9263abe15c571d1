import { z } from 'zod';
import { authorize } from '../../access/authorized.ts';
import type { Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { Id } from '../../http/acts-on.ts';
import { createCrawledSuite } from '../../pages/crawl/queue-crawl.ts';
import type { SiteLook } from '../../pages/look/site-look.ts';
import { findLookOf, readLook, startLook } from '../../pages/look/start-look.ts';
import { createSinglePage } from '../../runs/single-page.ts';
import { SUITE_CONFIG } from '../../suites/config/suite-config.ts';
import { SUITE_NAME_MAX_LENGTH, URL_MAX_LENGTH } from '../../suites/suite-input.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { trimmedText } from '../../text/input-words.ts';
import { buildFields, readTyped, toProblem } from '../form-field.ts';
import { formRoute, pageRoute, redirect, type Reply } from '../web-route.ts';
import { AddressField } from './controls/suite-form.ts';
import { linkSuite, readChoice } from './link-form.ts';
import { lookModel, NewSuiteForm, newSuiteModel, Prefill, refusedLook, TypedAddress, withScheme } from './new-suite.ts';

const Query = Prefill.extend({ look: Id.nullable().catch(null) });

export const getNewSuite = pageRoute({ path: '/suites/new', query: Query }, async (ctx, { viewer, query }, problem) => {
  const asked = problem === null ? query.look : Query.shape.look.parse(problem.typed['look'] ?? null);
  const model = newSuiteModel(problem, await findLookOf(ctx, viewer, asked), query);
  return { kind: 'page', view: 'suites/new', title: 'New suite', model, section: 'suites' };
});

/** The title of the site if known, otherwise its host. */
function chooseName(typed: string, baseUrl: string, look: SiteLook | null): string {
  if (typed !== '') return typed;
  const title = look !== null && look.address === baseUrl ? look.facts?.title : null;
  return (title ?? new URL(baseUrl).host).slice(0, SUITE_NAME_MAX_LENGTH);
}

/** Links a new suite to the repository that it was created for, and leads on to its first check. */
async function linkNewSuite(
  ctx: Context,
  viewer: Viewer,
  suite: SuiteFor,
  repository: string | undefined,
): Promise<Reply> {
  const { id, name } = suite;
  const link = readChoice(repository ?? '');
  if (link === null) return redirect(`/suites/${id}`, `Created ${name}`);
  try {
    await linkSuite(ctx, authorize(viewer, suite, 'suite.edit'), link, '');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return redirect(`/suites/${id}/repository`, `Created ${name}, but it could not be linked: ${error.message}`);
  }
  return redirect(`/suites/${id}/first-check`, `Created ${name}`);
}

export const postNewSuite = formRoute(
  { path: '/suites/new', form: NewSuiteForm, redisplay: getNewSuite.show },
  async (ctx, { viewer, form }) => {
    const { baseUrl, description, viewports } = form;
    const name = chooseName(form.name, baseUrl, await findLookOf(ctx, viewer, form.look));
    const maxPages = SUITE_CONFIG.fields.maxPages.withoutDefaults(form.config.maxPages);
    const config = {
      autoTrack: form.config.autoTrack,
      ...(maxPages === null ? {} : { maxPages }),
      ...(viewports === null ? {} : { viewports }),
    };
    const suite = await createCrawledSuite(ctx, viewer, { name, baseUrl, description, config });
    return linkNewSuite(ctx, viewer, suite, form.repository);
  },
);

const LookForm = z.preprocess(
  (body) => {
    const typed = readTyped(body);
    return { typed, baseUrl: typed['moved'] ?? typed['baseUrl'] ?? '' };
  },
  z.object({ baseUrl: z.string(), typed: z.record(z.string(), z.string().max(20_000)) }),
);

const showLook = (model: object): Reply => ({ kind: 'fragment', view: 'suites/look', model });

/** The form of a new suite, which is not sent yet. With htmx, what was found is inserted; without, the form is shown again. */
export const postLook = formRoute(
  { path: '/suites/look', form: LookForm, redisplay: getNewSuite.show },
  async (ctx, { viewer, form, htmx }) => {
    const address = withScheme(form.baseUrl);
    const { baseUrl: _old, moved: _moved, look: _look, ...typed } = form.typed;
    if (!htmx) {
      const baseUrl = z.object({ baseUrl: TypedAddress }).parse({ baseUrl: address }).baseUrl;
      const look = await startLook(ctx, viewer, { baseUrl, typed });
      return redirect(`/suites/new?look=${look.id}`);
    }
    if (address === '') return showLook(refusedLook(''));
    try {
      return showLook(lookModel(await startLook(ctx, viewer, { baseUrl: address, typed })));
    } catch (error) {
      const problem = toProblem(error, {});
      if (problem === null) throw error;
      return showLook(refusedLook(problem.fields['baseUrl'] ?? problem.message));
    }
  },
);

/** For an open form: what was found so far. */
export const getLook = pageRoute(
  { path: '/suites/looks/:id', params: z.object({ id: Id }) },
  async (ctx, { viewer, params, htmx }) => {
    if (!htmx) return redirect(`/suites/new?look=${params.id}`);
    return showLook(lookModel(await readLook(ctx, viewer, params.id)));
  },
);

const Form = z.object({ url: AddressField, name: trimmedText(SUITE_NAME_MAX_LENGTH).optional() });

export const getNewSinglePage = pageRoute({ path: '/single-pages/new' }, async (_ctx, _request, problem) => {
  const fields = buildFields(
    {
      url: {
        label: 'URL',
        type: 'url',
        required: true,
        autofocus: true,
        note: 'The full URL of the page, including http:// or https://.',
        attributes: {
          maxlength: URL_MAX_LENGTH,
          placeholder: 'https://example.com/pricing',
          autocomplete: 'off',
          spellcheck: 'false',
        },
      },
      name: {
        label: 'Name',
        note: 'Defaults to the host and path of the URL.',
        attributes: { maxlength: SUITE_NAME_MAX_LENGTH },
      },
    },
    problem,
  );
  const page = { kind: 'page', view: 'single-pages/new', title: 'New single page', width: 'narrow' } as const;
  return { ...page, model: { fields, problem }, section: 'single-pages' };
});

/** The first run, which captures the baseline, starts immediately. */
export const postNewSinglePage = formRoute(
  { path: '/single-pages/new', form: Form, redisplay: getNewSinglePage.show },
  async (ctx, { viewer, form }) => {
    const { singlePage, run } = await createSinglePage(ctx, viewer, form);
    return redirect(`/runs/${run.id}`, `Added ${singlePage.name}. The first run captures the baseline.`);
  },
);
