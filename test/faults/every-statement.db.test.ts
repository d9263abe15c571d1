import { PARTS, testBreaks } from './break-operations.ts';

testBreaks(PARTS.sampled);
