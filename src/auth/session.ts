/** A browser or program that is signed in. */
export type SignedInSession = {
  id: string;
  /** As the browser called itself at its last request that was noted. Null: it has not sent any. */
  userAgent: string | null;
  createdAt: Date;
  /** To five minutes. Null: it has not been used. */
  lastSeenAt: Date | null;
};

/** How long the time of the last request is left as it is: a busy session writes once in that time. */
export const SEEN_EVERY_MS = 5 * 60_000;

/** In characters. Browsers send some 150. */
export const USER_AGENT_MAX_LENGTH = 500;

/** How many sessions are listed, the last used first. */
export const LISTED_SESSIONS = 50;
