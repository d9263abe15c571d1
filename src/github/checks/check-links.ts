import { requireJwtSecret } from '../../auth/jwt-secret.ts';
import type { Config } from '../../config.ts';
import { isLoopback } from '../../net/loopback.ts';
import { resultAddress, runAddress, settingsAddress } from '../../pull-requests/review-address.ts';
import type { Run } from '../../runs/run.ts';
import { signObject } from '../../storage/signed-address.ts';
import type { CheckLinks } from '../../pull-requests/check-summary.ts';

const IMAGE_LINK_SECONDS = 30 * 86_400;

/**
 * The links in a run's check. GitHub's image proxy has no session, so images come from the CDN or from a signed URL.
 * The signature is valid for a month from the run's start, so the same run always gives the same URLs.
 */
export function checkLinks(
  config: Pick<Config, 'publicUrl' | 'cdnBaseUrl' | 'jwtSecret'>,
  run: Pick<Run, 'id' | 'testSuiteId' | 'createdAt'>,
): CheckLinks {
  const { publicUrl, cdnBaseUrl } = config;
  const expires = Math.floor(run.createdAt.getTime() / 1000) + IMAGE_LINK_SECONDS;
  return {
    run: runAddress(publicUrl, run.id),
    settings: settingsAddress(publicUrl, run.testSuiteId),
    resultUrl: (resultId) => resultAddress(publicUrl, run.id, resultId),
    imageUrl: (name) => {
      if (isLoopback(cdnBaseUrl ?? publicUrl)) return null;
      if (cdnBaseUrl !== null) return `${cdnBaseUrl}/${name}`;
      const signature = signObject(requireJwtSecret(config), name, expires);
      return `${publicUrl}/files/${name}?expires=${expires}&signature=${signature}`;
    },
  };
}
