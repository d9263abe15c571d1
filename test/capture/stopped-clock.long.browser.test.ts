import { CASES, testStoppedClock } from './stopped-clock.ts';

testStoppedClock(CASES.others);
