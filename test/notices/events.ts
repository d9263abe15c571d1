import type { Actor } from '../../src/events/event.ts';

export const CLOCK_ACTOR: Actor = { kind: 'clock', id: null, name: null, via: null, address: null };
