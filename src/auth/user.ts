import { z } from 'zod';
import type { SelectedRow } from '../db/query.ts';
import type { Actor } from '../events/event.ts';
import type { Preferences } from './preferences.ts';

/** The email address is trimmed, in the case used at registration. */
export const USER_COLUMNS = ['id', 'email', 'name', 'image', 'created_at', 'updated_at'] as const;

/** An account as its owner may see it, without the password. */
export type User = SelectedRow<'users', typeof USER_COLUMNS>;

/** An account as others may see it: an owner, an approver, someone a suite is shared with. */
export const UserSummary = z.object({
  id: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  image: z.string().nullable(),
});
export type UserSummary = z.output<typeof UserSummary>;

/** Stands for the name of an account that is gone, in lists and sentences alike. */
export const DELETED_USER = 'Deleted user';

export const displayName = ({ name, email }: Pick<User, 'name' | 'email'>): string => name ?? email;

/** The same, as others may see the account. Null: it is gone. */
export const knownName = (user: Pick<UserSummary, 'name' | 'email'> | null): string | null =>
  user?.name ?? user?.email ?? null;

/** The same, where somebody must be named. */
export const personName = (user: Pick<UserSummary, 'name' | 'email'> | null): string => knownName(user) ?? DELETED_USER;

export function toUserSummary({ id, name, email, image }: UserSummary): UserSummary {
  return { id, name, email, image };
}

/** In characters. */
export const NAME_MAX_LENGTH = 200;

export const NAME_RULE = `must be at most ${NAME_MAX_LENGTH} characters, without control characters or invisible ones`;

/**
 * Characters that make a name look like another one, or like none. The invisible ones that scripts and emoji need are
 * left out.
 */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200C\u200D\p{Variation_Selector}\u{E0020}-\u{E007F}])\p{DI}/u;

/** Trims the name. A name of only blanks becomes null. */
export function normalizeName(name: string | null | undefined): string | null {
  const trimmed = (name ?? '').trim();
  return trimmed === '' ? null : trimmed;
}

export function isNameAllowed(name: string): boolean {
  return name.length <= NAME_MAX_LENGTH && !UNSEEN.test(name);
}

/** RFC 5321 4.5.3.1: a path has at most 256 octets, including its two angle brackets. */
export const EMAIL_MAX_LENGTH = 254;

export const EMAIL_RULE = 'must be an email address, such as ada@example.com';

const LOCAL_PART = /^(?=.{1,64}$)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/** Trims the address. Keeps its case: addresses are compared without case, but shown and mailed as they were typed. */
export function normalizeEmail(email: string): string {
  return email.trim();
}

/** The same key for all addresses that count as the same account. For rate limits and jobs. */
export function emailKey(email: string): string {
  return normalizeEmail(email).toLowerCase();
}

/**
 * Allows only ASCII. Beyond ASCII, two different addresses can have the same lower case (a dotless i, the Kelvin sign),
 * and a reset link could go to someone else. A domain in another script is written in its `xn--` form.
 */
export function isEmailAllowed(email: string): boolean {
  const normalized = normalizeEmail(email);
  if (normalized.length > EMAIL_MAX_LENGTH) return false;
  const at = normalized.lastIndexOf('@');
  return at > 0 && LOCAL_PART.test(normalized.slice(0, at)) && DOMAIN.test(normalized.slice(at + 1));
}

/**
 * The account that makes a request, proven by its token. With `within`, the request came with a suite's token: it acts
 * for this account on that suite only, and within its scopes.
 */
export type Viewer = User & {
  within?: TokenLimits;
  /** The session that the request belongs to. Missing where an API token was sent. */
  sessionId?: string;
  /** The name of the API token that the request came with. */
  tokenName?: string;
  /** The account on the code host with which the person pressed a button there. */
  pressedAs?: string;
  /** The client's address. */
  address?: string | undefined;
  /** What the agent that makes the request calls itself. Nothing depends on it. */
  agent?: string;
  /** Only of a session: programs see no pages. */
  preferences?: Preferences;
};

/** What a suite's token may do: upload builds, start and cancel runs, read runs and their results. */
export const TOKEN_SCOPES = ['upload', 'run', 'read'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

export type TokenLimits = {
  suiteId: string;
  scopes: readonly TokenScope[];
  workflow?: WorkflowLimits;
};

/** What a workflow of the code host may act for. */
export type WorkflowLimits = {
  /** The code host's number. */
  repositoryId: number;
  /** Full SHAs in lower case: the commit it runs on and then, in a pull request, the heads of that one, newest first. */
  commits: readonly string[];
  /** Null: it does not run for a pull request. */
  pullRequest: number | null;
};

/**
 * The viewer, as the record of events names who acts: a person, a program with a token of theirs, or an agent, which says
 * itself what it is called. Also the person who signs in by a request that has no viewer yet.
 */
export function toActor(viewer: Viewer): Actor {
  const who = { id: viewer.id, name: displayName(viewer), address: viewer.address ?? null };
  const { agent, pressedAs, tokenName, within } = viewer;
  if (pressedAs !== undefined) return { ...who, kind: 'github', via: pressedAs };
  if (agent !== undefined) return { ...who, kind: 'agent', via: agent };
  const isToken = tokenName !== undefined || within !== undefined;
  const via = tokenName ?? (within?.workflow === undefined ? null : 'Workflow');
  return { ...who, kind: isToken ? 'token' : 'person', via };
}

export const MANAGED_COLUMNS = [
  'id',
  'email',
  'name',
  'image',
  // Null: no administrator.
  'administrator',
  // Null: may sign in.
  'disabled_at',
  'created_at',
] as const;

/** An account as administrators see it. */
export type ManagedAccount = SelectedRow<'users', typeof MANAGED_COLUMNS> & {
  /** Precise to some minutes. Null: no session is left. */
  lastSeenAt: Date | null;
};

/** Why an account is an administrator: a person named it, or it is in a group of the identity provider that does. */
export type AdministratorBy = NonNullable<ManagedAccount['administrator']>;

/** In characters. */
export const ACCOUNT_SEARCH_MAX_LENGTH = 200;
