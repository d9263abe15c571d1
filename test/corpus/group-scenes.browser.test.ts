import { FAULTS, testGroups } from './stays-a-fault.ts';

testGroups(FAULTS.sampled);
