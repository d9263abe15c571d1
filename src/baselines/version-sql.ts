/** Whether a row of `baseline_versions` came from a decision about its page result that has not been undone. */
export const STANDING_SQL = `(baseline_versions.source <> 'INITIAL' and not exists (
  select from baseline_versions as undoing
  where undoing.undone_result_id = baseline_versions.page_result_id and undoing.version > baseline_versions.version
))`;
