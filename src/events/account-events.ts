import type { ChangedSetting } from './administration-event.ts';

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
