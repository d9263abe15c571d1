import type { Row } from '../row.ts';
import { getNewBucket, postNewBucket } from './create.ts';
import { getBuckets } from './list.ts';

/** The page of one bucket is that of a suite: `suites/show.ts`. */
export const BUCKET_PAGES: readonly Row[] = [getBuckets, getNewBucket, postNewBucket];
