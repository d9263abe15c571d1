import { CHANGES, testChanges } from './is-found.ts';

testChanges(CHANGES.others);
