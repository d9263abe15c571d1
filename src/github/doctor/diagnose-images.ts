import { assertNever } from '../../errors.ts';
import type { DoctorFacts } from './doctor-facts.ts';
import { ok, type Finding } from './doctor-finding.ts';

/** Whether checks show crops of what changed. Checks work without them, so this is never a problem. */
export function diagnoseImages({ images, publicUrl }: Pick<DoctorFacts, 'images' | 'publicUrl'>): Finding {
  const name = 'images';
  const none = 'Checks show no images of what changed';
  switch (images) {
    case 'REACHABLE':
      return ok(name, `Checks show images of what changed, because GitHub can reach ${publicUrl}.`);
    case 'SWITCHED_ON':
      return ok(name, 'Checks show images of what changed, because CHECK_IMAGES is true.');
    case 'SWITCHED_OFF':
      return ok(name, `${none}, because CHECK_IMAGES is false.`);
    case 'UNREACHABLE':
      return ok(name, `${none}, because GitHub can’t reach ${publicUrl}.`);
    case 'UNPROVEN':
      return ok(name, `${none} until GitHub delivers an event: whether it can reach ${publicUrl} is not known.`);
    default:
      return assertNever(images);
  }
}
