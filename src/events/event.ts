/**
 * Who did something. `person`: by hand. `token`: a program, for the account that made its token. `agent`: the same, with
 * a name that it gave itself. `github`: a button on the code host. `webhook`: a delivery of the code host. `clock`: Pixelgate.
 */
export type Actor = {
  kind: 'person' | 'token' | 'agent' | 'github' | 'webhook' | 'clock';
  /** The account. */
  id: string | null;
  /** What the account is called. The record keeps it as it was. */
  name: string | null;
  /** The token's name, the agent's claim, or the account on the code host. */
  via: string | null;
  /** The client's address. */
  address: string | null;
};

/** What each kind of event tells, beside its suite and its run. */
type EventDetails = {
  /** `results`: how many were approved. `versions`: how many baseline versions were added at once. */
  'review.approved': { results: number; versions: number; settings: boolean; note: string | null };
};

type EventKind = keyof EventDetails;

/** An event that is about to be recorded. */
export type NewEvent<K extends EventKind = EventKind> = {
  [Kind in K]: {
    kind: Kind;
    suiteId?: string | null;
    runId?: string | null;
    details: EventDetails[Kind];
  };
}[K];

/** An event as it was recorded, maybe by an earlier version. */
export type RecordedEvent = {
  id: number;
  at: Date;
  kind: string;
  actor: Actor;
  suiteId: string | null;
  runId: string | null;
  details: EventDetails[EventKind];
};

declare module '../db/json.ts' {
  interface JsonColumns {
    'events.details': EventDetails[EventKind];
  }
}
