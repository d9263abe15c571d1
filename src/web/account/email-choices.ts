import { z } from 'zod';
import type { Context } from '../../context.ts';
import { onSuite } from '../../http/acts-on.ts';
import { ownPath } from '../../http/own-path.ts';
import { HEARS, type Choice, type ChosenSuite, type SuiteChoice } from '../../notices/choice.ts';
import {
  changeChoice,
  changeSuiteChoice,
  findUnsubscriber,
  listChosenSuites,
  readChoice,
  unsubscribe,
} from '../../notices/choices.ts';
import { TELLS } from '../../notices/target.ts';
import { buildFields, PageQuery, toOptions } from '../form-field.ts';
import {
  backToLast,
  buildPager,
  formRoute,
  pagePart,
  pageRoute,
  publicFormRoute,
  publicPageRoute,
  redirect,
  type Reply,
  type Route,
} from '../web-route.ts';

const PATH = '/account/email';
const SUITES_AT_ONCE = 50;

const HEARS_LABELS: Record<Choice['hears'], string> = {
  ALL: 'Everything',
  REVIEWS: 'What waits for my review',
  THREADS: 'Threads I am in',
  NOTHING: 'Nothing',
};
const TELLS_LABELS: Record<Choice['tells'], string> = { FAILED: 'Only failed runs', ALWAYS: 'All runs' };

const HEARS_OPTIONS = toOptions(HEARS_LABELS);
const TELLS_OPTIONS = toOptions(TELLS_LABELS);

export async function emailModel(ctx: Context, viewer: { id: string }) {
  const { hears } = await readChoice(ctx, viewer);
  return { path: PATH, isConfigured: ctx.mailer.configured, hears: HEARS_LABELS[hears] };
}

/** The choices for one suite. The first is to follow the choice for all suites. */
function suiteRow({ id, name, ...chosen }: ChosenSuite, usual: Choice) {
  const select = (field: keyof SuiteChoice, options: { value: string; label: string }[]) => {
    const asForAll = options.find(({ value }) => value === usual[field])?.label;
    const all = [{ value: '', label: `Default: ${asForAll}` }, ...options];
    const selected = chosen[field] ?? '';
    return { id: `${field}-${id}`, options: all.map((option) => ({ ...option, selected: option.value === selected })) };
  };
  return {
    name,
    href: `/suites/${id}`,
    action: `/suites/${id}/email`,
    hears: select('hears', HEARS_OPTIONS),
    tells: select('tells', TELLS_OPTIONS),
  };
}

export const getEmailChoices = pageRoute({ path: PATH, query: PageQuery }, async (ctx, { viewer, query, url }) => {
  const shown = { page: query.page, size: SUITES_AT_ONCE, path: PATH };
  const usual = await readChoice(ctx, viewer);
  const { suites, total } = await listChosenSuites(ctx, viewer, pagePart(shown));
  const back = backToLast(shown, total);
  if (back !== null) return back;
  const { hears, tells } = usual;
  const fields = {
    hears: {
      label: 'Email about suites you follow',
      type: 'select',
      value: hears,
      options: HEARS_OPTIONS,
      note: 'Each choice includes those below it. You get no email about what you did yourself.',
    },
    tells: {
      label: 'Email about finished runs',
      type: 'select',
      value: tells,
      options: TELLS_OPTIONS,
      note: 'For “Everything”. A run failed if it could not be captured, has errors, or waits for a review.',
    },
  } as const;
  const model = {
    path: PATH,
    isConfigured: ctx.mailer.configured,
    address: viewer.email,
    fields: buildFields(fields, null),
    suites: suites.map((suite) => suiteRow(suite, usual)),
    back: url,
    pager: buildPager(shown, total),
  };
  return { kind: 'page', view: 'account/email', title: 'Email', model, section: 'account' };
});

export const postEmailChoices = formRoute(
  { path: PATH, form: z.object({ hears: z.enum(HEARS), tells: z.enum(TELLS) }) },
  async (ctx, { viewer, form }) => {
    await changeChoice(ctx, viewer, form);
    return redirect(PATH, 'Saved');
  },
);

const asForAll = z.literal('').transform(() => null);
const SuiteForm = z.object({
  hears: z.enum(HEARS).or(asForAll),
  tells: z.enum(TELLS).or(asForAll),
  back: z.string().optional(),
});

export const postSuiteEmailChoices = formRoute(
  { path: '/suites/:id/email', ...onSuite('suite.read'), form: SuiteForm },
  async (ctx, { suite, form }) => {
    const { back, ...change } = form;
    await changeSuiteChoice(ctx, suite, change);
    return redirect(ownPath(back ?? PATH), `Saved for ${suite.name}`);
  },
);

const UNSUBSCRIBE = '/unsubscribe/:token';
const Params = z.object({ token: z.string().min(1).max(200) });

const show = (model: { email: string | null; isDone: boolean }, status = 200): Reply => ({
  kind: 'page',
  title: 'Unsubscribe',
  width: 'narrow',
  view: 'account/unsubscribe',
  model,
  status,
});

/** Opening the link changes nothing: programs that look at mails open every link. */
export const getUnsubscribe = publicPageRoute({ path: UNSUBSCRIBE, params: Params }, async (ctx, { params }) => {
  const person = await findUnsubscriber(ctx, params.token);
  return show({ email: person?.email ?? null, isDone: false }, person === null ? 400 : 200);
});

/**
 * The page's button, and the one click of a mail program (RFC 8058). Its server sends no cookie and either type of form,
 * and follows no redirect. Only the link says who unsubscribes, so the body is not read.
 */
export const postUnsubscribe: Route = {
  ...publicFormRoute({ path: UNSUBSCRIBE, params: Params }, async (ctx, { params }) => {
    const person = await findUnsubscriber(ctx, params.token);
    if (person === null) return show({ email: null, isDone: false }, 400);
    await unsubscribe(ctx, person);
    return show({ email: person.email, isDone: true });
  }),
  upload: true,
};
