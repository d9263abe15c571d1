import { capitalize } from '../text/format.ts';

/** A kind of event as people read it: `Review changes requested`. */
export const nameKind = (kind: string): string =>
  capitalize(kind.replaceAll('.', ' ').replaceAll('_', ' ')).replace('Github', 'GitHub');
