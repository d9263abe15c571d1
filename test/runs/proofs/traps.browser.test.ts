import { PAGES, testProofs } from './is-trapped.ts';

testProofs(PAGES.sampled);
