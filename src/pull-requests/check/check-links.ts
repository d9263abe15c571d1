import type { Crop } from '../../review/changes/variant.ts';

/** The links of a summary. The caller builds them, as they depend on the configuration. */
export type CheckLinks = {
  run: string;
  /** The suite's page. */
  suite: string;
  /** The suite's settings. */
  settings: string;
  /** What passes the walls of the suite's site. */
  access: string;
  /** The setup doctor. */
  doctor: string;
  resultUrl: (resultId: string) => string;
  /** Null if GitHub can't fetch images, or must not. */
  cropUrl: (crop: Crop) => string | null;
};
