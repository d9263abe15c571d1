import type { AccessKind } from '../../suites/site-access/site-access.ts';
import type { FieldSpec } from '../form-field.ts';
import { LOGIN_ROWS } from './access-form.ts';

const secret = (name: string, label: string, note?: string): FieldSpec => ({
  name,
  label,
  type: 'password',
  required: true,
  ...(note === undefined ? {} : { note }),
  attributes: { autocomplete: 'off', maxlength: 2000 },
});

const plain = (name: string, label: string, more: Partial<FieldSpec> = {}): FieldSpec => ({
  name,
  label,
  ...more,
  attributes: { autocomplete: 'off', spellcheck: 'false', maxlength: 2000, ...more.attributes },
});

const area = (name: string, label: string, note: string, rows: number): FieldSpec => ({
  name,
  label,
  type: 'textarea',
  required: true,
  note,
  attributes: { rows, spellcheck: 'false', autocomplete: 'off' },
});

export type AccessSection = { kind: AccessKind; title: string; note: string; fields: FieldSpec[] };

/** The forms of the page in its order: what hosts have first, then what any site may have. */
export const ACCESS_SECTIONS: readonly AccessSection[] = [
  {
    kind: 'vercel',
    title: 'Vercel protection bypass',
    note: 'In Vercel: the project’s settings, Deployment Protection, Protection Bypass for Automation.',
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
    note: 'The password of the site, as visitors type it.',
    fields: [secret('netlify.password', 'Password')],
  },
  {
    kind: 'basic',
    title: 'Basic authentication',
    note: 'For sites at which the browser itself asks for a name and a password.',
    fields: [plain('basic.username', 'User name', { required: true }), secret('basic.password', 'Password')],
  },
  {
    kind: 'headers',
    title: 'Headers',
    note: 'Sent with every request to the site.',
    fields: [area('headers', 'Headers', 'One on each line: X-Token: value', 3)],
  },
  {
    kind: 'cookies',
    title: 'Cookies',
    note: 'Set for the site’s own host.',
    fields: [
      area('cookies', 'Cookies', 'One on each line: name=value', 3),
      { name: 'cookies.readable', label: 'The page’s own scripts may read them', type: 'checkbox' },
    ],
  },
  {
    kind: 'login',
    title: 'Form login',
    note: 'Done once for each run and worker, and again when it lapses. Use an account that can do no harm.',
    fields: [
      plain('login.path', 'Path of the login page', { required: true, attributes: { placeholder: '/login' } }),
      ...LOGIN_ROWS.flatMap((row) => [
        plain(`login.selector${row}`, `Field ${row + 1}: CSS selector`, { required: row === 0 }),
        { ...secret(`login.secret${row}`, `Field ${row + 1}: what to type`), required: row === 0 },
      ]),
      plain('login.submit', 'Button: CSS selector', { note: 'Empty: Enter is pressed in the last field.' }),
      plain('login.shows', 'It worked when this appears: CSS selector', { note: 'This, or the path below, or both.' }),
      plain('login.ends', 'It worked when the browser ends at this path'),
    ],
  },
  {
    kind: 'storageState',
    title: 'Storage state',
    note: 'For logins that no form can do, such as single sign-on: log in with Playwright and save context.storageState().',
    fields: [area('storageState', 'Storage state', 'JSON. Only what belongs to the site’s own host is used.', 6)],
  },
];
