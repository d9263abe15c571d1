/** Which events are wanted. `from` is included, `to` is not. */
export type EventFilter = {
  suiteId?: string | undefined;
  runId?: string | undefined;
  kind?: string | undefined;
  actorId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
};

/** The number of an event, which is its place in lists. */
export type EventPlace = [id: number];
