import { HEIGHTS, testHeights } from './ignored-height.ts';

testHeights(HEIGHTS.others);
