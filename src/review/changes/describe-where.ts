import { formatCount } from '../../text/format.ts';
import type { ChangeGroup } from './change-group.ts';

/** On how many pages and viewports: `6 pages × 2 viewports`, or `/prices at mobile`. */
export function describeWhere({ paths, viewports, count }: Pick<ChangeGroup, 'paths' | 'viewports' | 'count'>): string {
  const onPages = formatCount(paths.length, 'page');
  if (count === 1) return `${paths.join()} at ${viewports.join()}`;
  if (count < paths.length * viewports.length) return `${formatCount(count, 'result')} on ${onPages}`;
  return `${onPages} × ${formatCount(viewports.length, 'viewport')}`;
}
