/**
 * Why a page could not be captured. wall: a login or the like; gone: 404 or 410; limited: 429; broken: 5xx; status:
 * another error status; private: no public address; blocked: by the suite; worker: every attempt failed.
 */
export const FAILURE_CODES = [
  'wall',
  'gone',
  'limited',
  'broken',
  'status',
  'timeout',
  'network',
  'private',
  'blocked',
  'crash',
  'worker',
  'other',
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** Why a host can't be reached. The message is for people. */
export type Unreachable = { code: FailureCode; message: string };
