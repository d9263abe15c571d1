import type { Context } from '../../context.ts';
import { isOutOfReach } from '../app/addresses.ts';
import { hasDelivery } from './delivery-store.ts';

/**
 * Whether checks show what changed as images. `UNREACHABLE`: GitHub can't reach the service's address.
 * `UNPROVEN`: GitHub has not delivered anything to it lately.
 */
export type ImagesInChecks = 'SWITCHED_ON' | 'SWITCHED_OFF' | 'UNREACHABLE' | 'UNPROVEN' | 'REACHABLE';

/** GitHub's image proxy must be able to reach this service. Images that it can't fetch would look broken. */
export async function readImagesInChecks({ config, db }: Pick<Context, 'config' | 'db'>): Promise<ImagesInChecks> {
  if (config.checkImages !== null) return config.checkImages ? 'SWITCHED_ON' : 'SWITCHED_OFF';
  if (isOutOfReach(config)) return 'UNREACHABLE';
  return (await hasDelivery(db)) ? 'REACHABLE' : 'UNPROVEN';
}

export const areShown = (images: ImagesInChecks): boolean => images === 'SWITCHED_ON' || images === 'REACHABLE';
