import type { AccessKind } from '../../../suites/site-access/site-access.ts';
import type { FieldSpec } from '../../form-field.ts';
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
