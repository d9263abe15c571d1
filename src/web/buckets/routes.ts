import type { Route } from '../route.ts';
import { getNewBucket, postNewBucket } from './create.ts';
import { getBuckets } from './list.ts';

/** The page of one bucket is that of a suite: `suites/show.ts`. */
export const BUCKET_ROUTES: readonly Route[] = [getBuckets, getNewBucket, postNewBucket];
