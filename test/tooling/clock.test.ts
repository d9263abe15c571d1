import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';

const SRC = path.join(import.meta.dirname, '../../src');

/** Who measures how long something takes on this host, or has no database: these store no time. */
const ELAPSED = [/^capture\//, /^cli\//, /^demo\//, /^pages\/crawl\/crawl-suite\.ts$/];
/** The clock itself; and times of objects, which the storage gives: a few hours more or less do no harm there. */
const OWN = [/^db\/database-clock\.ts$/, /^storage\/(disk|s3)-storage\.ts$/];

it("asks no clock of the host for a time that is stored or compared with one: that is the database's", () => {
  const asking = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && ![...ELAPSED, ...OWN].some((pattern) => pattern.test(name)))
    .filter((name) => /\bnew Date\(\)|\bDate\.now\(\)/.test(readFileSync(path.join(SRC, name), 'utf8')));
  expect(asking).toEqual([]);
});
