/** A browser or program that is signed in. */
export type SignedInSession = {
  id: string;
  /** The user agent of the last request that was recorded. Null: there was none. */
  userAgent: string | null;
  createdAt: Date;
  /** Precise to five minutes. Null: it has not been used. */
  lastSeenAt: Date | null;
};

/** How often the time of the last request is updated at most. */
export const SEEN_EVERY_MS = 5 * 60_000;

/** In characters. Browsers send about 150. */
export const USER_AGENT_MAX_LENGTH = 500;

/** How many sessions are listed, the most recently used first. */
export const LISTED_SESSIONS = 50;
