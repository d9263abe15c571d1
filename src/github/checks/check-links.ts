import { requireJwtSecret } from '../../auth/jwt-secret.ts';
import type { Config } from '../../config.ts';
import { resultAddress, runAddress, suiteAddresses, type CheckLinks } from '../../pull-requests/check/check-links.ts';
import type { Crop } from '../../review/changes/change-group.ts';
import type { Run } from '../../runs/run.ts';
import { cropName, readCropName } from '../../storage/object-name.ts';
import { signObject } from '../../storage/signed-address.ts';

const DAY_SECONDS = 86_400;
const CROP_LINK_DAYS = 90;

/** From the end of the run, so that the same run always gives the same addresses; in whole days, so that it is short. */
function expiryOf({ endedAt, createdAt }: Pick<Run, 'endedAt' | 'createdAt'>): number {
  const days = Math.ceil((endedAt ?? createdAt).getTime() / 1000 / DAY_SECONDS);
  return (days + CROP_LINK_DAYS) * DAY_SECONDS;
}

function signCrop(config: Pick<Config, 'publicUrl' | 'jwtSecret'>, { file, box }: Crop, expires: number) {
  const name = cropName(file, box);
  if (readCropName(name) === null) return null;
  const signature = signObject(requireJwtSecret(config), name, expires);
  return `${config.publicUrl}/files/${name}?expires=${expires}&signature=${signature}`;
}

/**
 * The links in a run's check. GitHub's image proxy has no session, so crops have signed addresses, each for one crop.
 * @param withImages whether GitHub can and may fetch images
 */
export function checkLinks(
  config: Pick<Config, 'publicUrl' | 'jwtSecret'>,
  run: Pick<Run, 'id' | 'testSuiteId' | 'createdAt' | 'endedAt'>,
  withImages: boolean,
): CheckLinks {
  const { publicUrl } = config;
  const expires = expiryOf(run);
  return {
    run: runAddress(publicUrl, run.id),
    ...suiteAddresses(publicUrl, run.testSuiteId),
    resultUrl: (resultId) => resultAddress(publicUrl, run.id, resultId),
    cropUrl: (crop) => (withImages ? signCrop(config, crop, expires) : null),
  };
}
