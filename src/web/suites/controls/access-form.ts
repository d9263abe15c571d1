import { z } from 'zod';
import { invalid, type Issue } from '../../../errors.ts';
import type { AccessChangeInput } from '../../../suites/site-access/change-site-access.ts';
import { PreviewHost } from '../../../suites/site-access/preview-host.ts';
import { ACCESS_KINDS, SiteSecrets, type AccessKind } from '../../../suites/site-access/site-access.ts';

/** The page has a form for each of these. */
const ACCESS_FORMS = [...ACCESS_KINDS, 'hosts', 'try'] as const;
export type AccessFormName = (typeof ACCESS_FORMS)[number];

/** One of the forms of the page. Its fields are read by `readAccess`. */
export const AccessForm = z
  .looseObject({ form: z.enum(ACCESS_FORMS), remove: z.string().optional() })
  .catchall(z.string());

export type AccessFields = z.output<typeof AccessForm>;

/** Of the login form. */
export const LOGIN_ROWS = [0, 1, 2] as const;

const linesOf = (text = '') =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** `Name: value` or `name=value`, one on each line. */
function pairsOf(text: string | undefined, separator: string): { name: string; value: string }[] {
  return linesOf(text).map((line) => {
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

function readHosts(text: string | undefined): string[] {
  return linesOf(text).map((line) => {
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
