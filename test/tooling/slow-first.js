import { statSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';

/** Long files, and those that start a service or a browser, by their name. */
const SLOW = [/\.long\./, /\.process\.test/, /\.browser\.test/];

const rank = ({ path }) => {
  const place = SLOW.findIndex((pattern) => pattern.test(path));
  return place === -1 ? SLOW.length : place;
};

/** On a fresh machine nobody knows how long a file takes. Slow ones first: a slow one at the end would run alone. */
export default class SlowFirst extends Sequencer {
  sort(tests) {
    const sized = tests.map((test) => ({ test, rank: rank(test), size: statSync(test.path).size }));
    return sized.sort((one, other) => one.rank - other.rank || other.size - one.size).map(({ test }) => test);
  }
}
