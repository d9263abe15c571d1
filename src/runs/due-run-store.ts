import { z } from 'zod';
import { readRows, type Db } from '../db/database.ts';

/** As it is stored. Null means the default. */
const SCHEDULE_SQL = "coalesce(suite.config ->> 'schedule', 'off')";

/** Plans of suites that are inactive, or have another schedule by now. */
export async function forgetOutdated(db: Db): Promise<void> {
  await db.raw(
    `delete from run_schedules as planned using test_suites as suite
     where suite.id = planned.test_suite_id and (not suite.is_active or planned.schedule <> ${SCHEDULE_SQL})`,
  );
}

const Planned = z.object({ suiteId: z.string(), schedule: z.string() });

/** Active suites with a schedule, for which nothing is planned yet. */
export async function findUnplanned(db: Db, limit: number): Promise<z.infer<typeof Planned>[]> {
  return readRows(
    db,
    Planned,
    `select suite.id as suite_id, ${SCHEDULE_SQL} as schedule from test_suites as suite
     where suite.is_active and ${SCHEDULE_SQL} <> 'off'
       and not exists (select from run_schedules as planned where planned.test_suite_id = suite.id)
     limit :limit`,
    { limit },
  );
}

/** Does nothing if another host was faster. */
export async function plan(db: Db, { suiteId, schedule }: z.infer<typeof Planned>, dueAt: Date): Promise<void> {
  await db('run_schedules')
    .insert({ test_suite_id: suiteId, schedule, due_at: dueAt })
    .onConflict('test_suite_id')
    .ignore();
}

export type DueRun = { suiteId: string; schedule: string; dueAt: Date };

/** Those that have waited longest come first. */
export async function findDue(db: Db, now: Date, limit: number): Promise<DueRun[]> {
  return db('run_schedules')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .select('test_suite_id as suite_id', 'schedule', 'due_at');
}

/** Moves the plan to its next time. False: another host has claimed it, or the schedule was changed. */
export async function claim(db: Db, { suiteId, schedule, dueAt }: DueRun, next: Date): Promise<boolean> {
  const claimed = await db('run_schedules')
    .where({ test_suite_id: suiteId, schedule, due_at: dueAt })
    .update({ due_at: next });
  return claimed === 1;
}
