import { z } from 'zod';
import { Id } from '../../http/acts-on.ts';
import type { SiteLook } from '../../pages/look/site-look.ts';
import { DEFAULT_CONFIG, SUITE_CONFIG, SuiteConfigInput } from '../../suites/config/suite-config.ts';
import { SUITE_NAME_MAX_LENGTH, URL_MAX_LENGTH } from '../../suites/suite-input.ts';
import { trimmedText } from '../../text/input-words.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { buildField, buildFields, queryText, readTyped, showTyped, type Problem, type Typed } from '../form-field.ts';
import { autoTrackFields, readAutoTrack } from './controls/auto-track-editor.ts';
import { readSetting, settingField } from './controls/setting-control.ts';
import { AddressField, DescriptionOrNull, SUITE_FIELDS } from './controls/suite-form.ts';
import { VIEWPORT_PRESETS } from './controls/viewport-editor.ts';
import { readChoice } from './link-form.ts';

/** Seconds between two polls of a look, which takes a few of them. */
const WAIT = 1;

const EMPTY = {
  isKnown: false,
  title: null,
  icon: null,
  picture: null,
  isPictured: false,
  sitemap: null,
  pages: [],
  moved: null,
  forbidden: false,
};

/** What the partial `suites/look` prints: what was found at an address. */
export function lookModel(look: SiteLook) {
  const { id, facts, picture, problem } = look;
  const { host } = new URL(facts?.address ?? look.address);
  const isPending = look.status === 'PENDING';
  const shared = {
    id,
    host,
    poll: isPending ? { href: `/suites/looks/${id}`, seconds: WAIT } : null,
    status: isPending ? `Checking ${host}` : (problem ?? `Found ${facts?.title ?? host}`),
    problem,
  };
  if (facts === null) return { ...EMPTY, ...shared, isPictured: isPending };
  const sitemap = facts.sitemap && { found: facts.sitemap.addresses, partial: facts.sitemap.partial };
  return { ...facts, ...shared, isKnown: true, picture, isPictured: isPending, sitemap };
}

/** An address that is not allowed. */
export function refusedLook(problem: string) {
  return { ...EMPTY, id: null, host: '', poll: null, status: problem, problem };
}

/** The prefilled values of the form, from its URL. `repository`: the one to link, see `choiceValue`. */
export const Prefill = z.object({
  baseUrl: queryText(URL_MAX_LENGTH),
  name: queryText(SUITE_NAME_MAX_LENGTH),
  repository: queryText(300),
});
type Prefill = z.output<typeof Prefill>;

/** Of the configuration, only these have fields in this form. */
const { maxPages: pageLimit, autoTrack: tracking } = SUITE_CONFIG.fields;
const PAGE_LIMIT = 'config.maxPages';
const TRACKING = 'config.autoTrack';

const LOCAL = ['localhost', '127.', '[::1]'];

/** People leave out the scheme. For hosts of this machine it is http. */
export function withScheme(text: string): string {
  const address = text.trim();
  if (address === '' || (parseUrl(address) !== null && address.includes('://'))) return address;
  return `${LOCAL.some((host) => address.startsWith(host)) ? 'http' : 'https'}://${address}`;
}

export const TypedAddress = z.preprocess((text) => (typeof text === 'string' ? withScheme(text) : text), AddressField);

const NewSuite = z.object({
  name: trimmedText(SUITE_NAME_MAX_LENGTH),
  baseUrl: TypedAddress,
  description: DescriptionOrNull,
  config: SuiteConfigInput,
  viewports: z
    .string()
    .transform((value) => VIEWPORT_PRESETS.find((preset) => preset.value === value)?.viewports ?? null),
  look: Id.nullable().catch(null),
  repository: Prefill.shape.repository,
});

/** Omitted fields have the value of the empty form: all pages are tracked. */
export const NewSuiteForm = z.preprocess((body) => {
  const typed = { name: '', viewports: 'default', [`${TRACKING}.mode`]: 'all', ...readTyped(body) };
  const config = {
    maxPages: pageLimit.collect(PAGE_LIMIT, (setting) => readSetting(setting, typed)),
    autoTrack: readAutoTrack(TRACKING, typed),
  };
  return { ...typed, config };
}, NewSuite);

const INITIAL: Typed = {
  viewports: 'default',
  [PAGE_LIMIT]: String(DEFAULT_CONFIG.maxPages),
  [`${TRACKING}.mode`]: 'all',
};

const TRACKING_NOTE =
  'Includes pages that later crawls find, up to the maximum number of pages. Pages that were untracked manually stay untracked.';

/** Fields that are not among the options. */
const OUTSIDE = ['name', 'baseUrl', 'look', 'moved', 'repository'];

function isChanged(typed: Typed): boolean {
  return Object.entries(typed).some(([name, value]) => !OUTSIDE.includes(name) && value !== (INITIAL[name] ?? ''));
}

function toShown(look: SiteLook | null, filled: Prefill): Problem | null {
  if (look !== null) return showTyped({ ...INITIAL, ...look.typed, baseUrl: look.address });
  const given = Object.fromEntries(Object.entries(filled).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  return Object.keys(given).length === 0 ? null : showTyped({ ...INITIAL, ...given });
}

const newSuiteFields = (look: SiteLook | null) => ({
  ...SUITE_FIELDS,
  name: {
    ...SUITE_FIELDS.name,
    required: false,
    note: 'If empty, the title of the site or its host is used.',
  },
  baseUrl: {
    label: 'Base URL',
    required: true,
    autofocus: look === null,
    note: 'The address of the site. Crawls start here and stay on this host.',
    attributes: {
      ...SUITE_FIELDS.baseUrl.attributes,
      inputmode: 'url',
      autocapitalize: 'none',
      placeholder: 'example.com',
      'hx-post': '/suites/look',
      // It is not needed if people click “Create suite” right away.
      'hx-trigger': 'change delay:300ms',
      'hx-target': '#look',
      'hx-swap': 'innerHTML',
      'hx-sync': 'closest form:drop',
    },
  },
  viewports: {
    label: 'Viewports',
    type: 'select' as const,
    value: 'default',
    options: VIEWPORT_PRESETS.map(({ value, label }) => ({ value, label })),
    note: 'Each page is captured at every viewport. Sizes are in CSS pixels.',
  },
});

/**
 * @param filled values for fields that were not typed @param problem why the form was refused @param look contains the
 * rest of the form as it was typed
 */
export function newSuiteModel(problem: Problem | null, look: SiteLook | null, filled: Prefill = {}) {
  const shown = problem ?? toShown(look, filled);
  const repository = shown?.typed['repository'] ?? '';
  const link = readChoice(repository);
  const fields = buildFields(newSuiteFields(look), shown);
  const settings = pageLimit
    .settings(PAGE_LIMIT, DEFAULT_CONFIG.maxPages)
    .map((setting) => buildField(settingField(setting), shown));
  const [automatic] = tracking.settings(TRACKING, 'all');
  if (automatic === undefined) throw new Error('There is no setting of what is tracked');
  return {
    fields,
    settings,
    tracking: autoTrackFields({ ...automatic, description: TRACKING_NOTE }, { autoTrack: 'all' }, shown),
    isOpen: shown !== null && isChanged(shown.typed),
    look: look === null ? null : lookModel(look),
    repository: link === null ? null : { value: repository, name: `${link.owner}/${link.repo}` },
    problem,
  };
}
