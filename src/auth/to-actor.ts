import type { Actor } from '../events/event.ts';
import { displayName } from './user.ts';
import type { Viewer } from './viewer.ts';

/**
 * The viewer, as the record of events names who acts: a person, a program with a token of theirs, or an agent, which says
 * itself what it is called. Also the person who signs in by a request that has no viewer yet.
 */
export function toActor(viewer: Viewer): Actor {
  const who = { id: viewer.id, name: displayName(viewer), address: viewer.address ?? null };
  const { agent, pressedAs, tokenName, within } = viewer;
  if (pressedAs !== undefined) return { ...who, kind: 'github', via: pressedAs };
  if (agent !== undefined) return { ...who, kind: 'agent', via: agent };
  const isToken = tokenName !== undefined || within !== undefined;
  const via = tokenName ?? (within?.workflow === undefined ? null : 'Workflow');
  return { ...who, kind: isToken ? 'token' : 'person', via };
}
