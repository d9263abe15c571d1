import type { Actor } from '../events/event.ts';

/** The type of a message that somebody sends to try a target. */
export const TEST_TYPE = 'test';

/** What is said about an event. Programs get it as it is; for people it is put into words. */
export type Message = {
  /** The kind of the event. */
  type: string;
  /** When it happened, ISO 8601. */
  timestamp: string;
  data: {
    suite: { id: string; name: string; url: string } | null;
    run: { id: string; number: number; name: string; url: string } | null;
    /** Who did it. `via`: with which token, agent or account of the code host. */
    actor: Pick<Actor, 'kind' | 'name' | 'via'>;
    /** What changed in the run, the most frequent first. `results`: how many screenshots show it. */
    causes: { summary: string; element: string; results: number }[];
    /** The details of the event, by its kind. */
    details: Record<string, unknown>;
  };
};

type Details = Record<string, unknown>;

export const readCount = (details: Details, name: string): number => {
  const value = details[name];
  return typeof value === 'number' ? value : 0;
};

export const readText = (details: Details, name: string): string | null => {
  const value = details[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

/** Whether something failed or waits for a person. */
export function isFailure(type: string, details: Details): boolean {
  switch (type) {
    case 'run.completed':
      return details['reviewState'] === 'PENDING' || readCount(details, 'errors') > 0;
    case 'run.failed':
    case 'crawl.failed':
    case 'schedule.missed':
    case 'review.required':
    case 'review.assigned':
    case 'review.changes_requested':
    case 'drift.found':
      return true;
    default:
      return false;
  }
}
