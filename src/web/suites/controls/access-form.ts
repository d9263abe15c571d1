import { z } from 'zod';
import { invalid, type Issue } from '../../../errors.ts';
import type { AccessChangeInput } from '../../../suites/site-access/change-site-access.ts';
import { PreviewHost } from '../../../suites/site-access/preview-host.ts';
import { ACCESS_KINDS, SiteSecrets, type AccessKind } from '../../../suites/site-access/site-access.ts';
import { splitLines } from '../../../text/format.ts';
import type { NamedFieldSpec } from '../../form-field.ts';

/** The page has a form for each of these. */
const ACCESS_FORMS = [...ACCESS_KINDS, 'hosts', 'try'] as const;
export type AccessFormName = (typeof ACCESS_FORMS)[number];

/** One of the forms of the page. Its fields are read by `readAccess`. */
export const AccessForm = z
  .looseObject({
    form: z.enum(ACCESS_FORMS),
    remove: z.string().optional(),
    /** Where the page said that it is sent: the site, and the preview hosts, with spaces between them. */
    origin: z.string().optional(),
    shownHosts: z.string().optional(),
  })
  .catchall(z.string());

export type AccessFields = z.output<typeof AccessForm>;

/** Of the login form. */
const LOGIN_ROWS = [0, 1, 2] as const;

/** `Name: value` or `name=value`, one on each line. */
function pairsOf(text = '', separator: string): { name: string; value: string }[] {
  return splitLines(text).map((line) => {
    const at = line.indexOf(separator);
    return at === -1
      ? { name: line, value: '' }
      : { name: line.slice(0, at).trim(), value: line.slice(at + separator.length).trim() };
  });
}

function parseJson(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('Some fields are not valid', [
      { path: 'storageState', message: 'must be JSON in Playwright’s format' },
    ]);
  }
}

const unlessEmpty = (text = '') => (text.trim() === '' ? undefined : text.trim());

function readLogin(fields: AccessFields): unknown {
  const rows = LOGIN_ROWS.map((row) => ({
    selector: fields[`login.selector${row}`] ?? '',
    value: fields[`login.secret${row}`] ?? '',
  }));
  return {
    path: fields['login.path'],
    fields: rows.filter(({ selector, value }) => selector !== '' || value !== ''),
    submit: unlessEmpty(fields['login.submit']) ?? null,
    success: { selector: unlessEmpty(fields['login.shows']), path: unlessEmpty(fields['login.ends']) },
  };
}

function readKind(kind: AccessKind, fields: AccessFields): unknown {
  switch (kind) {
    case 'headers':
      return pairsOf(fields['headers'], ':');
    case 'cookies': {
      const httpOnly = fields['cookies.readable'] === undefined;
      return pairsOf(fields['cookies'], '=').map((cookie) => ({ ...cookie, httpOnly }));
    }
    case 'basic':
      return { username: fields['basic.username'], password: fields['basic.password'] };
    case 'vercel':
      return { secret: fields['vercel.secret'] };
    case 'cloudflareAccess':
      return { clientId: fields['cloudflareAccess.clientId'], clientSecret: fields['cloudflareAccess.clientSecret'] };
    case 'netlify':
      return { password: fields['netlify.password'] };
    case 'login':
      return readLogin(fields);
    case 'storageState':
      return parseJson(fields['storageState']);
  }
}

/** The field of the form at which an issue is shown. Items of a list are identified by their line. */
function toField({ path, message }: { path: PropertyKey[]; message: string }): Issue {
  const [kind, part, index] = path.map(String);
  if (kind === 'login' && part === 'fields') {
    return {
      path: index === undefined ? 'login.selector0' : `login.selector${index}`,
      message: `or its value ${message}`,
    };
  }
  if (kind === 'login' && part === 'success') return { path: 'login.shows', message };
  if (kind === 'headers' || kind === 'cookies') {
    return { path: kind, message: part === undefined ? message : `line ${Number(part) + 1}: ${message}` };
  }
  if (kind === 'storageState' || part === undefined) return { path: kind ?? '', message };
  return { path: `${kind}.${part}`, message };
}

function readHosts(text = ''): string[] {
  return splitLines(text).map((line) => {
    const host = PreviewHost.safeParse(line);
    if (host.success) return host.data;
    const message = `${line}: ${host.error.issues[0]?.message ?? 'is not a host'}`;
    throw invalid('Some fields are not valid', [{ path: 'previewHosts', message }]);
  });
}

/** What the form sets. @throws AppError invalid, with the fields; it never repeats the typed values. */
export function readAccess(form: AccessKind | 'hosts', fields: AccessFields): AccessChangeInput {
  if (form === 'hosts') return { previewHosts: readHosts(fields['previewHosts']) };
  const parsed = SiteSecrets.safeParse({ [form]: readKind(form, fields) });
  if (parsed.success) return parsed.data;
  throw invalid('Some fields are not valid', parsed.error.issues.map(toField));
}

const secret = (name: string, label: string): NamedFieldSpec => ({
  name,
  label,
  type: 'password',
  required: true,
  attributes: { autocomplete: 'off', maxlength: 2000 },
});

const plain = (name: string, label: string, more: Partial<NamedFieldSpec> = {}): NamedFieldSpec => ({
  name,
  label,
  ...more,
  attributes: { autocomplete: 'off', spellcheck: 'false', maxlength: 2000, ...more.attributes },
});

const area = (name: string, label: string, note: string, rows: number): NamedFieldSpec => ({
  name,
  label,
  type: 'textarea',
  required: true,
  note,
  attributes: { rows, spellcheck: 'false', autocomplete: 'off' },
});

export type AccessSection = { kind: AccessKind; title: string; note: string; fields: NamedFieldSpec[] };

/** The forms in the order of the page: those of certain hosts first, then those for any site. */
export const ACCESS_SECTIONS: readonly AccessSection[] = [
  {
    kind: 'vercel',
    title: 'Vercel protection bypass',
    note: 'In Vercel: Project Settings, Deployment Protection, Protection Bypass for Automation.',
    fields: [secret('vercel.secret', 'Secret')],
  },
  {
    kind: 'cloudflareAccess',
    title: 'Cloudflare Access service token',
    note: 'In Cloudflare Zero Trust: Access, Service credentials. The application needs a policy with the action Service Auth.',
    fields: [
      plain('cloudflareAccess.clientId', 'Client ID', { required: true }),
      secret('cloudflareAccess.clientSecret', 'Client secret'),
    ],
  },
  {
    kind: 'netlify',
    title: 'Netlify password',
    note: 'The site password that visitors enter.',
    fields: [secret('netlify.password', 'Password')],
  },
  {
    kind: 'basic',
    title: 'Basic authentication',
    note: 'For sites where the browser asks for a user name and password.',
    fields: [plain('basic.username', 'User name', { required: true }), secret('basic.password', 'Password')],
  },
  {
    kind: 'headers',
    title: 'Headers',
    note: 'Sent with every request to the site.',
    fields: [area('headers', 'Headers', 'One per line: X-Token: value', 3)],
  },
  {
    kind: 'cookies',
    title: 'Cookies',
    note: 'Set for the site’s own host.',
    fields: [
      area('cookies', 'Cookies', 'One per line: name=value', 3),
      { name: 'cookies.readable', label: 'Readable by the page’s scripts', type: 'checkbox' },
    ],
  },
  {
    kind: 'login',
    title: 'Form login',
    note: 'Each worker signs in once per run, and again when the session expires. Use an account with few permissions.',
    fields: [
      plain('login.path', 'Login page path', { required: true, attributes: { placeholder: '/login' } }),
      ...LOGIN_ROWS.flatMap((row) => [
        plain(`login.selector${row}`, `Field ${row + 1}: CSS selector`, { required: row === 0 }),
        { ...secret(`login.secret${row}`, `Field ${row + 1}: value`), required: row === 0 },
      ]),
      plain('login.submit', 'Button: CSS selector', { note: 'If empty, Enter is pressed in the last field.' }),
      plain('login.shows', 'Signed in when this appears: CSS selector', { note: 'Set this, the path below, or both.' }),
      plain('login.ends', 'Signed in when the browser is at this path'),
    ],
  },
  {
    kind: 'storageState',
    title: 'Storage state',
    note: 'For logins without a form, such as single sign-on: log in with Playwright and save context.storageState().',
    fields: [area('storageState', 'Storage state', 'JSON. Only entries for the site’s own host are used.', 6)],
  },
];
