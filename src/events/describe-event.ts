import { formatCount, formatList } from '../text/format.ts';
import { readablePath } from '../text/readable-path.ts';
import type { Actor, EventKind } from './event.ts';

/**
 * What somebody did, after their name. `{field}` prints a detail, `{field:noun}` a count of such things (of `true`: the noun
 * alone), and `[…]` only what is known: a part with a detail that is null, false or 0 is left out. `<…|…>` lists its known
 * parts.
 */
const SENTENCES = {
  'run.completed': 'completed run {run}[ ({reason})]: {changed:change}, {errors:error}',
  'run.failed': 'could not complete run {run}: {error}',
  'run.cancelled': 'cancelled run {run}[ ({reason})]',
  'review.required': 'asked for a review of run {run}[: {changed:change}]',
  'review.assigned': '<asked {assigned.name}|no longer asked {removed.name}> for a review of run {run}',
  'review.approved': 'approved <{results:result}|{changes:change}|{settings:the settings}> of run {run}[: “{note}”]',
  'review.carried_over':
    'approved <{results:result}|{settings:the settings}> of run {run} that had been approved before',
  'review.changes_requested': 'requested changes to[ {results:result} of] run {run}: “{note}”',
  'review.undone': 'undid <{approvals:approval}|{requests:request} for changes> of run {run}',
  'review.counted': 'counted {page.path} at {page.viewport} as a change of run {run}',
  'comment.created': 'commented on[ {page.path} at {page.viewport} in] run {run}[: “{text}”]',
  'comment.deleted': 'deleted a comment on run {run}',
  'baseline.promoted': 'added {versions:baseline version}[ after the merge of #{pullRequest}][: “{note}”]',
  'baseline.restored': 'restored {versions:baseline version}[: “{note}”]',
  'drift.found': 'found that the site drifted: {results:result} of run {run}',
  'crawl.failed': 'could not crawl the site: {error}',
  'pages.found': 'found {pages:new page}',
  'pages.removed': 'no longer found {pages:page}',
  'schedule.missed': 'missed a scheduled run at {dueAt} ({reason})',
  'account.created': 'created the account {email}',
  'account.renamed': 'changed the name of the account[ from {from}][ to {to}]',
  'account.linked': 'linked the {provider} account[ {login}]',
  'account.unlinked': 'unlinked the {provider} account[ {login}]',
  'sign_in.succeeded': 'signed in',
  'sign_in.failed': 'failed to sign in[ as {email}]',
  'session.ended': 'ended {sessions:other session}',
  'sign_out.everywhere': 'signed out everywhere',
  'password.changed': 'changed the password',
  'password.reset': 'reset the password',
  'passkey.added': 'added the passkey {name}',
  'passkey.removed': 'removed the passkey {name}',
  'token.created': 'created the API token {name}',
  'token.revoked': 'revoked the API token {name}',
  'access.granted': 'gave {name} the role {role}[ instead of {before}]',
  'access.revoked': 'removed {name}, who had the role {role}',
  'invitation.created': 'invited[ {email}] with the role {role}',
  'invitation.withdrawn': 'withdrew the invitation[ of {email}]',
  'invitation.accepted': 'accepted an invitation with the role {role}',
  'suite.created': 'created the suite {name}',
  'suite.changed': 'changed {changes:setting}: {changes.setting}',
  'suite.deleted': 'deleted the suite {name}',
  'repository.linked': 'linked the repository {repository}[ instead of {before}]',
  'repository.unlinked': 'unlinked the repository {repository}',
  'site_access.changed': 'set the site access[ ({kinds})]',
  'change.ignored': 'ignored a change of {path} at {viewport}[: “{note}”]',
  'change.unignored': 'stopped ignoring a change of {path} at {viewport}',
  'page.added': 'added the page {path}',
  'pages.changed': 'changed {pages:page} ({action})',
  'account.disabled': 'disabled the account {account.name}',
  'account.enabled': 'enabled the account {account.name}',
  'account.signed_out': 'signed {account.name} out everywhere',
  'account.reset_sent': 'sent {account.name} a link to reset the password',
  'account.administrator_named': 'made {account.name} an administrator',
  'account.administrator_removed': 'took the role of administrator from {account.name}',
  'suite.handed_over': 'handed the suite over from {from.name} to {to.name}',
  'suite.left': 'left the suite',
  'target.created': 'created the notice target {target.name} ({target.host})',
  'target.changed': 'changed {changes:setting} of the notice target {target.name}: {changes.setting}',
  'target.secret_changed': 'changed the secret of the notice target {target.name}',
  'target.deleted': 'deleted the notice target {target.name}',
  'retention.swept': 'removed[ {runs:old run}][ with {results:result}][ {objects:stored object}]',
  'github.connected': 'connected GitHub with the App {app}',
} as const satisfies Record<EventKind, string>;

const TEMPLATES = new Map<string, string>(Object.entries(SENTENCES));

export const EVENT_KINDS: readonly string[] = [...TEMPLATES.keys()];

/** A detail, or what each item of a list has there. Undefined where it has none. */
function read(from: unknown, path: readonly string[]): unknown {
  const [field, ...rest] = path;
  if (field === undefined) return from;
  if (Array.isArray(from)) return from.map((item) => read(item, path));
  return typeof from === 'object' && from !== null ? read(Reflect.get(from, field), rest) : undefined;
}

const isUnknown = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === false ||
  value === 0 ||
  (Array.isArray(value) && value.length === 0);

/** A code, such as `no_tracked_pages`, as words. */
export const describeReason = (reason: string): string => reason.replaceAll('_', ' ');

function print(value: unknown, noun: string | undefined): string {
  if (noun !== undefined && value === true) return noun;
  if (noun !== undefined) return formatCount(Array.isArray(value) ? value.length : Number(value ?? 0), noun);
  if (Array.isArray(value)) return formatList(value.map(String));
  return isUnknown(value) ? '' : String(value);
}

/** `2026-11-21 07:20 UTC`: the minute of an ISO 8601 time. */
const describeMinute = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

const FIELD = /\{([\w.]+)(?::([\w ]+))?\}/g;

function fill(template: string, details: unknown): string {
  return template.replace(FIELD, (_, path: string, noun?: string) => {
    const text = print(read(details, path.split('.')), noun);
    if (path === 'dueAt') return describeMinute(text);
    if (path === 'path' || path === 'page.path') return readablePath(text);
    return path === 'reason' ? describeReason(text) : text;
  });
}

function isKnown(template: string, details: unknown): boolean {
  return [...template.matchAll(FIELD)].every(([, path = '']) => !isUnknown(read(details, path.split('.'))));
}

/** Who acted, such as `Ada (with the token “CI”)`. */
function describeActor({ kind, name, via }: Pick<Actor, 'kind' | 'name' | 'via'>): string {
  const who = name ?? 'Somebody';
  switch (kind) {
    case 'person':
      return who;
    case 'token':
      return via === null ? `${who} (with a token)` : `${who} (with the token “${via}”)`;
    case 'agent':
      return via === null ? `${who} (by an agent)` : `${who} (by an agent that calls itself “${via}”)`;
    case 'github':
      return via === null ? `${who} (on GitHub)` : `${who} (on GitHub, as @${via})`;
    case 'webhook':
      return 'GitHub';
    case 'clock':
      return 'Pixelgate';
  }
}

/** An event as one sentence without a full stop: `Ada approved 3 results of run 12`. */
export function describeEvent({
  kind,
  actor,
  details,
}: {
  kind: string;
  actor: Pick<Actor, 'kind' | 'name' | 'via'>;
  details: object;
}): string {
  const template = TEMPLATES.get(kind) ?? kind;
  const known = template
    .replace(/\[([^[\]]*)\]/g, (_, part: string) => (isKnown(part, details) ? part : ''))
    .replace(/<([^<>]*)>/g, (_, parts: string) =>
      formatList(parts.split('|').filter((part) => isKnown(part, details))),
    );
  return `${describeActor(actor)} ${fill(known, details)}`;
}
