import { PAGES, testCorpus } from './looks-the-same.ts';

testCorpus(PAGES.others);
