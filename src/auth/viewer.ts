import type { Preferences } from './preferences.ts';
import type { TokenScope } from './tokens/api-token.ts';
import type { User } from './user.ts';

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
