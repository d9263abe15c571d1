import type { Run } from '../runs/run.ts';

/** `isApprovable`, asked of the table `page_results`; the caller knows the type of the run. */
export function approvableSql({ runType }: Pick<Run, 'runType'>): string {
  const isNew = runType === 'MANUAL' ? 'false' : "(page_results.status = 'PASS' and page_results.is_new)";
  return `(not page_results.approved and page_results.current_file is not null
           and (page_results.status = 'FAIL' or ${isNew}))`;
}
