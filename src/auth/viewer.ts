import type { TokenScope } from './tokens/api-token.ts';
import type { User } from './user.ts';

/**
 * The account that makes a request, proven by its token. With `within`, the request came with a suite's token: it acts
 * for this account on that suite only, and within its scopes.
 */
export type Viewer = User & { within?: { suiteId: string; scopes: readonly TokenScope[] } };
