import '../tooling/typescript.js';
import { Session } from 'node:inspector/promises';
import { runInThisContext } from 'node:vm';

/*
 * Prints how many blocks of code ran for the work of each size. A process of its own, so that V8 compiles the module
 * under test while it counts: what was compiled before has no counters for its loops and branches.
 */
const { module, prepare, sizes, values } = JSON.parse(process.argv[2]);
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** Since it was last asked. */
async function countBlocks() {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ranges = result.flatMap(({ functions }) => functions.flatMap((each) => each.ranges));
  return ranges.reduce((sum, { count }) => sum + count, 0);
}

const imported = await import(module);
const prepareWork = runInThisContext(`(${prepare})`);
const counts = [];
for (const size of sizes) {
  const work = prepareWork(imported, size, ...values);
  await countBlocks();
  work();
  counts.push(await countBlocks());
}
process.stdout.write(JSON.stringify(counts));
