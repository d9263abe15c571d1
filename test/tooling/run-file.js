import './typescript.js';
import { pathToFileURL } from 'node:url';
import { createEmptyTestResult } from '@jest/test-result';
import { getState, resetState, run } from 'jest-circus';
import { formatExecError, formatResultsErrors } from 'jest-message-util';

const STATUSES = { skip: 'pending', todo: 'todo' };

/** @returns what Jest reports of a test that ended */
function toAssertion({ testPath, status, errors, duration, failing, invocations, location, numPassingAsserts }) {
  // The first name is of the file.
  const names = testPath.slice(1);
  return {
    ancestorTitles: names.slice(0, -1),
    title: names.at(-1),
    fullName: names.join(' '),
    status: STATUSES[status] ?? (errors.length > 0 ? 'failed' : 'passed'),
    failureMessages: [...errors],
    failureDetails: [],
    retryReasons: [],
    duration,
    failing,
    invocations,
    location,
    numPassingAsserts,
  };
}

/** What nobody awaited fails the test that runs, or the file. */
function keepError(error) {
  const { currentlyRunningTest, unhandledErrors } = getState();
  (currentlyRunningTest?.errors ?? unhandledErrors).push(error);
}

async function runTests(globalConfig, testPath, setupFiles) {
  resetState();
  const state = getState();
  state.testTimeout = globalConfig.testTimeout;
  if (globalConfig.testNamePattern) state.testNamePattern = new RegExp(globalConfig.testNamePattern, 'i');
  process.on('uncaughtException', keepError);
  try {
    for (const file of [...setupFiles, testPath]) await import(pathToFileURL(file).href);
    return await run();
  } finally {
    process.off('uncaughtException', keepError);
  }
}

/**
 * Jest's `testRunner`, with the modules of Node.js itself. Jest would load and compile every module once more for each
 * file, in a context of its own: for a test over HTTP that took longer than the tests. So files that one process runs
 * share what modules keep, as the files of `src/` do in a service.
 */
export default async function runFile(globalConfig, config, _environment, _runtime, testPath) {
  // Jest has one, which would look for source maps in each stack that something asks for.
  delete Error.prepareStackTrace;
  const { testResults, unhandledErrors, unhandledErrorsDetailed } = await runTests(
    globalConfig,
    testPath,
    config.setupFilesAfterEnv,
  );
  const assertions = testResults.map(toAssertion);
  const count = (status) => assertions.filter((each) => each.status === status).length;
  const failures = unhandledErrorsDetailed.map((error) => formatExecError(error, config, globalConfig));
  const failed = formatResultsErrors(assertions, config, globalConfig, testPath);
  return {
    ...createEmptyTestResult(),
    displayName: config.displayName,
    failureMessage: failures.length > 0 ? [failed ?? '', ...failures].join('\n') : failed,
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    testExecError: unhandledErrors.length > 0 ? { message: '', stack: unhandledErrors.join('\n') } : undefined,
    testFilePath: testPath,
    testResults: assertions,
  };
}
