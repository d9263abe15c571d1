import type { Actor } from '../events/event.ts';
import { displayName } from './user.ts';
import type { User } from './user.ts';
import type { Viewer } from './viewer.ts';

/** The person who signs in, or is about to, by a request of nobody yet. */
export function accountActor(user: User, { address }: { address?: string | undefined }): Actor {
  return { kind: 'person', id: user.id, name: displayName(user), via: null, address: address ?? null };
}

/** The viewer, as the record of events names who acts: a person, or a program with a token of theirs. */
export function toActor(viewer: Viewer): Actor {
  const who = {
    id: viewer.id,
    name: displayName(viewer),
    address: viewer.address ?? null,
  };
  if (viewer.pressedAs !== undefined) return { ...who, kind: 'github', via: viewer.pressedAs };
  const isToken = viewer.tokenName !== undefined || viewer.within !== undefined;
  const via = viewer.tokenName ?? (viewer.within?.workflow === undefined ? null : 'Workflow');
  return { ...who, kind: isToken ? 'token' : 'person', via };
}
