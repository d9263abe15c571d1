import type { Actor } from '../events/event.ts';
import { displayName } from './user.ts';
import type { Viewer } from './viewer.ts';

/**
 * The viewer, as the record of events names who acts: a person, a program with a token of theirs, or an agent, which says
 * itself what it is called.
 */
export function toActor(viewer: Viewer): Actor {
  const { agent, tokenName, within } = viewer;
  const via = agent ?? tokenName ?? (within?.workflow === undefined ? null : 'Workflow');
  const kind = via === null && within === undefined ? 'person' : 'token';
  return {
    kind: agent === undefined ? kind : 'agent',
    id: viewer.id,
    name: displayName(viewer),
    via,
    address: viewer.address ?? null,
  };
}
