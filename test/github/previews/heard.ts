import type { SeenSignal } from '../../../src/github/previews/signal-store.ts';
import { followSignal, type HeardSignal } from '../../../src/github/previews/signal.ts';

/** A deployment to the environment Preview that is up, with the given fields changed. */
export const heard = (said: Partial<HeardSignal> = {}): HeardSignal => ({
  owner: 'acme',
  repo: 'site',
  headSha: 'a'.repeat(40),
  source: 'DEPLOYMENT',
  name: 'Preview',
  project: '',
  host: null,
  state: 'READY',
  url: said.state === undefined || said.state === 'READY' ? 'https://p.test/' : null,
  link: null,
  ref: null,
  onDefaultBranch: false,
  serial: 0,
  step: 0,
  ...said,
});

/** The same as it is kept, after some seconds. */
export function seen(said: Partial<HeardSignal> = {}, seconds = 0): SeenSignal {
  const kept = followSignal(null, heard(said));
  if (kept === null) throw new Error('It was not kept');
  return { ...kept, createdAt: new Date(0), updatedAt: new Date(seconds * 1000) };
}
