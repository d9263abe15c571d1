-- Rows as version 0.1 wrote them, up to migration 019: what later migrations have to carry on.
insert into users (id, email, name) values
  ('00000000-0000-4000-8000-000000000001', 'ada@example.com', 'Ada');
insert into test_suites (id, name, base_url, origin, user_id, config, codehost_owner, codehost_repo, codehost_installation_id) values
  ('00000000-0000-4000-8000-000000000002', 'Docs', 'https://docs.example', 'https://docs.example',
   '00000000-0000-4000-8000-000000000001', '{"maxPages": 20, "threshold": 0.1}', 'Octo', 'Docs', 7);
insert into site_pages (test_suite_id, url, path, status, tracked) values
  ('00000000-0000-4000-8000-000000000002', 'https://docs.example/', '/', 'ACTIVE', true);
insert into pull_requests (owner, repo, number, head_sha, head_branch, base_branch, state, draft, installation_id, changed_at) values
  ('octo', 'docs', 1, 'a1', 'menu', 'main', 'MERGED', false, 7, now()),
  ('octo', 'docs', 2, 'a2', 'footer', 'main', 'OPEN', false, 7, now());
insert into test_runs (id, test_suite_id, status, run_type, review_state, target_base_url, config, git_owner, git_repo,
    git_pr_number, git_head_sha, git_enqueued, total_results) values
  ('00000000-0000-4000-8000-000000000011', '00000000-0000-4000-8000-000000000002', 'COMPLETED', 'PR', 'APPROVED',
   'https://one.example', '{}', 'octo', 'docs', 1, 'a1', true, 2),
  ('00000000-0000-4000-8000-000000000012', '00000000-0000-4000-8000-000000000002', 'RUNNING', 'PR', 'NOT_REQUIRED',
   'https://two.example', '{}', 'octo', 'docs', 2, 'a2', true, 2),
  ('00000000-0000-4000-8000-000000000013', '00000000-0000-4000-8000-000000000002', 'COMPLETED', 'MANUAL', 'NOT_REQUIRED',
   'https://docs.example', '{}', null, null, null, null, null, 2);
insert into page_results (id, test_run_id, position, url, path, viewport, status, approved, approved_by, current_file) values
  ('00000000-0000-4000-8000-000000000021', '00000000-0000-4000-8000-000000000011', 1, 'https://one.example/', '/',
   'desktop', 'FAIL', true, '00000000-0000-4000-8000-000000000001', 'suites/x/a.png'),
  ('00000000-0000-4000-8000-000000000022', '00000000-0000-4000-8000-000000000012', 1, 'https://two.example/', '/',
   'desktop', 'PASS', false, null, 'suites/x/b.png'),
  ('00000000-0000-4000-8000-000000000023', '00000000-0000-4000-8000-000000000012', 2, 'https://two.example/', '/',
   'mobile', 'PENDING', false, null, null);
insert into test_run_logs (test_run_id, number, type, message) values
  ('00000000-0000-4000-8000-000000000012', 1, 'SUCCESS', '/ at desktop is unchanged');
insert into baseline_versions (id, test_suite_id, path, url, viewport, version, file_path, source) values
  ('00000000-0000-4000-8000-000000000031', '00000000-0000-4000-8000-000000000002', '/', 'https://docs.example/', 'desktop', 1,
   'suites/x/b.png', 'INITIAL'),
  ('00000000-0000-4000-8000-000000000032', '00000000-0000-4000-8000-000000000002', '/', 'https://docs.example/', 'desktop', 2,
   'suites/x/a.png', 'PR_MERGE');
insert into baselines (test_suite_id, url, path, viewport, file_path, current_version, current_version_id) values
  ('00000000-0000-4000-8000-000000000002', 'https://docs.example/', '/', 'desktop', 'suites/x/a.png', 2,
   '00000000-0000-4000-8000-000000000032');
insert into baseline_comparisons (from_version_id, to_version_id, threshold, diff_file, diff_percentage, width, height) values
  ('00000000-0000-4000-8000-000000000031', '00000000-0000-4000-8000-000000000032', 0.1, 'suites/x/d.png', 1.5, 800, 600);
