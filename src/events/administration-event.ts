/** A setting that was changed. A value of more than some thousand characters is cut, and then a text. */
export type ChangedSetting = { setting: string; from: unknown; to: unknown };

/** The details of events about accounts, sharing and settings. None of them has a secret. */
export type AdministrationDetails = {
  'account.created': { email: string };
  'account.renamed': { from: string | null; to: string | null };
  /** An account of another service with which the person can sign in. */
  'account.linked': { provider: string; login: string | null };
  'account.unlinked': { provider: string; login: string | null };
  'sign_in.succeeded': Record<string, never>;
  /** `email`: what was typed; null: not an address. The number recorded in an hour is limited. */
  'sign_in.failed': { email: string | null };
  /** One session was ended from another one, or all others. */
  'session.ended': { sessions: number };
  'sign_out.everywhere': Record<string, never>;
  'password.changed': Record<string, never>;
  /** With a link that was mailed. */
  'password.reset': Record<string, never>;
  'passkey.added': { name: string };
  'passkey.removed': { name: string };
  /** `scopes`: null for a person's own token, which may do what the person may. `expiresAt`: ISO 8601. */
  'token.created': { name: string; scopes: string[] | null; expiresAt: string };
  'token.revoked': { name: string };
  /** `before`: the role so far; null: none. */
  'access.granted': { account: string; name: string; role: string; before: string | null };
  'access.revoked': { account: string; name: string; role: string };
  /** `email`: null for a link that anybody may use. */
  'invitation.created': { email: string | null; role: string };
  'invitation.withdrawn': { email: string | null };
  'invitation.accepted': { role: string };
  'suite.created': { name: string; baseUrl: string };
  'suite.changed': { changes: ChangedSetting[] };
  'suite.deleted': { name: string };
  /** Both as `owner/repo`. `before`: null when none was linked. */
  'repository.linked': { repository: string; before: string | null };
  'repository.unlinked': { repository: string };
  /** `kinds`: what is set now, such as `login`; none when it was removed. */
  'site_access.changed': { kinds: string[] };
  /** This difference no longer holds a gate. `expiresAt`: ISO 8601. */
  'change.ignored': { path: string; viewport: string; note: string | null; expiresAt: string | null };
  'change.unignored': { path: string; viewport: string };
  'page.added': { path: string };
  /** `action`: `track`, `untrack`, `acknowledge` or `delete`. */
  'pages.changed': { action: string; pages: number };
  'github.connected': { app: string };
};

/** An account, as it was called. */
export type NamedAccount = { id: string; name: string };

/** What happens to accounts and to who owns a suite. */
export type AccountEvents = {
  'account.disabled': { account: NamedAccount };
  'account.enabled': { account: NamedAccount };
  /** All sessions and own tokens of another account ended. */
  'account.signed_out': { account: NamedAccount };
  /** An administrator had a link sent. */
  'account.reset_sent': { account: NamedAccount };
  /** `by`: a person, or a group of the identity provider. */
  'account.administrator_named': { account: NamedAccount; by: 'NAMED' | 'GROUP' };
  'account.administrator_removed': { account: NamedAccount; by: 'NAMED' | 'GROUP' };
  'suite.handed_over': { from: NamedAccount; to: NamedAccount };
  'suite.left': { role: string };
};

/** A target. `host`: of its address, the rest of which is secret. */
type NamedTarget = NamedAccount & { kind: string; host: string };

export type TargetEvents = {
  'target.created': { target: NamedTarget };
  /** Without the values of secrets (`url`, `bot`). */
  'target.changed': { target: NamedTarget; changes: ChangedSetting[] };
  'target.secret_changed': { target: NamedTarget };
  'target.deleted': { target: NamedTarget };
};
