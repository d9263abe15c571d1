import type { Actor } from '../events/event.ts';
import { displayName } from './user.ts';
import type { Viewer } from './viewer.ts';

/** The viewer, as the record of events names who acts: a person, or a program with a token of theirs. */
export function toActor(viewer: Viewer): Actor {
  const via = viewer.tokenName ?? (viewer.within?.workflow === undefined ? null : 'Workflow');
  return {
    kind: via === null && viewer.within === undefined ? 'person' : 'token',
    id: viewer.id,
    name: displayName(viewer),
    via,
    address: viewer.address ?? null,
  };
}
