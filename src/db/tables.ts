/*
 * Written by `npm run tables` from the schema that the migrations make. To change it, add a migration.
 */
import type { JsonColumn, Table } from './table.ts';

export interface Tables {
  accounts: Table<
    {
      access_token: string | null;
      created_at: Date;
      expires_at: number | null;
      id: string;
      login: string | null;
      provider: string;
      provider_account_id: string;
      refresh_token: string | null;
      scope: string | null;
      token_type: string | null;
      type: string;
      updated_at: Date;
      user_id: string;
    },
    'created_at' | 'id' | 'updated_at'
  >;
  api_tokens: Table<
    {
      created_at: Date;
      expires_at: Date;
      id: string;
      last_used_at: Date | null;
      name: string;
      scopes: string[] | null;
      session_version: number | null;
      test_suite_id: string | null;
      token_hash: string;
      user_id: string;
    },
    'created_at' | 'id'
  >;
  baseline_versions: Table<
    {
      approved_at: Date;
      approved_by: string | null;
      at_rest: boolean;
      capture_engine: string | null;
      capture_way: JsonColumn<'baseline_versions.capture_way'> | null;
      compare_engine: string | null;
      created_at: Date;
      diff_score: number | null;
      elements_file: string | null;
      file_path: string;
      heard_file: string | null;
      id: string;
      manifest_file: string | null;
      merge_commit_sha: string | null;
      note: string | null;
      page_result_id: string | null;
      path: string;
      pr_number: number | null;
      restored_version: number | null;
      source: 'INITIAL' | 'MANUAL' | 'BRANCH' | 'PR_MERGE' | 'API';
      test_run_id: string | null;
      test_suite_id: string;
      undone_result_id: string | null;
      updated_at: Date;
      url: string;
      version: number;
      viewport: string;
    },
    'approved_at' | 'at_rest' | 'created_at' | 'id' | 'updated_at'
  >;
  baselines: Table<
    {
      created_at: Date;
      current_version: number;
      current_version_id: string;
      file_path: string;
      id: string;
      is_approved: boolean;
      path: string;
      test_suite_id: string;
      updated_at: Date;
      viewport: string;
    },
    'created_at' | 'id' | 'is_approved' | 'updated_at'
  >;
  builds: Table<
    {
      bytes: number;
      created_at: Date;
      created_by: string | null;
      digest: string;
      files: number;
      head_sha: string | null;
      id: string;
      status: 'STORING' | 'READY' | 'EXPIRED';
      stored_as: string;
      test_suite_id: string;
    },
    'created_at' | 'id' | 'status' | 'stored_as'
  >;
  capture_engines: Table<{ engine: string; host: string; last_seen_at: Date }, 'last_seen_at'>;
  change_requests: Table<
    {
      author_id: string;
      created_at: Date;
      id: string;
      note: string;
      page_result_id: string | null;
      test_run_id: string;
    },
    'created_at' | 'id'
  >;
  code_host_installations: Table<
    {
      account_login: string;
      account_type: string | null;
      changed_at: Date | null;
      created_at: Date;
      events: string[];
      id: string;
      installation_id: number;
      permissions: JsonColumn<'code_host_installations.permissions'> | null;
      repos: string[];
      suspended_at: Date | null;
      updated_at: Date;
    },
    'created_at' | 'events' | 'id' | 'repos' | 'updated_at'
  >;
  comments: Table<
    {
      author_id: string | null;
      body: string;
      box: JsonColumn<'comments.box'> | null;
      created_at: Date;
      id: string;
      page_result_id: string | null;
      test_run_id: string;
      updated_at: Date;
    },
    'created_at' | 'id' | 'updated_at'
  >;
  delivery_rounds: Table<{
    app_id: number;
    checked_at: Date;
    complete_until: Date;
    next: string | null;
    problem: string | null;
    round_started_at: Date | null;
  }>;
  digest_events: Table<{ event_id: number; user_id: string }>;
  digests: Table<
    {
      attempts: number;
      due_at: Date;
      hears: 'ALL' | 'REVIEWS' | 'THREADS' | 'NOTHING' | null;
      tells: 'FAILED' | 'ALWAYS' | null;
      user_id: string;
    },
    'attempts' | 'due_at'
  >;
  events: Table<
    {
      actor_id: string | null;
      actor_kind: 'person' | 'token' | 'agent' | 'github' | 'webhook' | 'clock';
      actor_name: string | null;
      actor_via: string | null;
      address: string | null;
      at: Date;
      details: JsonColumn<'events.details'>;
      id: number;
      kind: string;
      run_id: string | null;
      suite_id: string | null;
    },
    'at' | 'details' | 'id'
  >;
  github_app: Table<
    {
      app_id: number;
      client_id: string;
      created_at: Date;
      created_by: string | null;
      encrypted_secrets: string;
      html_url: string;
      name: string;
      singleton: boolean;
      slug: string;
      updated_at: Date;
    },
    'created_at' | 'singleton' | 'updated_at'
  >;
  github_pauses: Table<{ installation_id: number; until: Date }>;
  ignored_changes: Table<
    {
      author_id: string | null;
      baseline_file: string;
      created_at: Date;
      current_file: string;
      expires_at: Date | null;
      fingerprint: string;
      id: string;
      last_used_at: Date | null;
      note: string | null;
      path: string;
      test_suite_id: string;
      updated_at: Date;
      uses: number;
      viewport: string;
    },
    'created_at' | 'id' | 'updated_at' | 'uses'
  >;
  left_objects: Table<{ left_at: Date; name: string; test_suite_id: string }, 'left_at'>;
  migrations: Table<{ applied_at: Date; name: string }, 'applied_at'>;
  missed_deliveries: Table<{
    asked_at: Date | null;
    attempt_id: number;
    delivered_at: Date;
    event: string;
    id: string;
  }>;
  page_results: Table<
    {
      aligned_baseline_file: string | null;
      aligned_current_file: string | null;
      also_seen: JsonColumn<'page_results.also_seen'> | null;
      approval_undone_at: Date | null;
      approved: boolean;
      approved_at: Date | null;
      approved_by: string | null;
      at_rest: boolean;
      attempts: number;
      base_diff_file: string | null;
      base_elements_file: string | null;
      base_file: string | null;
      base_score: number | null;
      base_state: 'DUE' | 'TAKEN' | 'FAILED' | null;
      base_status: 'PASS' | 'FAIL' | null;
      baseline_file: string | null;
      baseline_version_id: string | null;
      capture_engine: string | null;
      capture_way: JsonColumn<'page_results.capture_way'> | null;
      carried_over: boolean;
      cause: 'CHANGE' | 'DRIFT' | 'BEHIND' | 'FROM_PULL_REQUEST' | 'ENGINE' | 'IGNORED' | null;
      cause_pr_number: number | null;
      cause_version: number | null;
      change_ids: JsonColumn<'page_results.change_ids'> | null;
      changes_requested: boolean;
      compare_engine: string | null;
      control_elements_file: string | null;
      control_file: string | null;
      control_heard_file: string | null;
      control_served: JsonColumn<'page_results.control_served'> | null;
      control_state: 'DUE' | 'TAKEN' | 'FAILED' | null;
      counted_as_change: boolean;
      created_at: Date;
      current_file: string | null;
      cut: boolean;
      deaths: number;
      diff_file: string | null;
      diff_regions: JsonColumn<'page_results.diff_regions'> | null;
      diff_score: number | null;
      drifted: boolean;
      due_at: Date | null;
      elements_file: string | null;
      error: string | null;
      error_code:
        | 'wall'
        | 'gone'
        | 'limited'
        | 'broken'
        | 'status'
        | 'timeout'
        | 'network'
        | 'private'
        | 'blocked'
        | 'crash'
        | 'worker'
        | 'other'
        | null;
      faint: boolean;
      heard_file: string | null;
      heard_ids: JsonColumn<'page_results.heard_ids'> | null;
      heard_key: string | null;
      id: string;
      ignored_boxes: JsonColumn<'page_results.ignored_boxes'> | null;
      is_new: boolean;
      left_out: boolean;
      manifest_file: string | null;
      moves: JsonColumn<'page_results.moves'> | null;
      path: string;
      position: number;
      proof: JsonColumn<'page_results.proof'> | null;
      refused_at: Date | null;
      review_rank: number;
      review_weight: number;
      screenshots: number | null;
      served: JsonColumn<'page_results.served'> | null;
      servers: 'DIFFERENT' | 'MAYBE_ONE' | null;
      settled_number: number | null;
      stability: 'AT_ONCE' | 'SETTLED' | 'UNSTABLE' | null;
      status: 'PENDING' | 'PASS' | 'FAIL' | 'ERROR' | 'CANCELLED';
      taken_by: string | null;
      test_run_id: string;
      unmatched_selectors: JsonColumn<'page_results.unmatched_selectors'> | null;
      updated_at: Date;
      url: string;
      verdict_number: number;
      viewport: string;
      warnings: JsonColumn<'page_results.warnings'>;
    },
    | 'approved'
    | 'at_rest'
    | 'attempts'
    | 'carried_over'
    | 'changes_requested'
    | 'counted_as_change'
    | 'created_at'
    | 'cut'
    | 'deaths'
    | 'drifted'
    | 'faint'
    | 'id'
    | 'is_new'
    | 'left_out'
    | 'status'
    | 'updated_at'
    | 'verdict_number'
    | 'warnings',
    'review_rank' | 'review_weight'
  >;
  page_states: Table<{
    path: string;
    run_created_at: Date;
    state: 'error' | 'changed' | 'approved' | 'uncounted' | 'cancelled' | 'new' | 'unchanged';
    test_run_id: string;
    test_suite_id: string;
  }>;
  page_trials: Table<
    {
      config: JsonColumn<'page_trials.config'>;
      created_at: Date;
      error: string | null;
      file: string | null;
      id: string;
      ignored_boxes: JsonColumn<'page_trials.ignored_boxes'> | null;
      origin: string | null;
      path: string;
      status: 'PENDING' | 'DONE' | 'ERROR';
      test_suite_id: string;
      unmatched_selectors: JsonColumn<'page_trials.unmatched_selectors'> | null;
      updated_at: Date;
      viewport: string;
      visit: JsonColumn<'page_trials.visit'> | null;
      warnings: JsonColumn<'page_trials.warnings'> | null;
    },
    'created_at' | 'id' | 'status' | 'updated_at'
  >;
  passkeys: Table<
    {
      challenged_at: Date | null;
      created_at: Date;
      credential_id: string;
      id: string;
      last_used_at: Date | null;
      name: string;
      public_key: string;
      signatures: number;
      transports: string[];
      user_id: string;
    },
    'id'
  >;
  password_reset_tokens: Table<
    { created_at: Date; expires_at: Date; id: string; token_hash: string; user_id: string },
    'created_at' | 'id'
  >;
  preview_signals: Table<
    {
      created_at: Date;
      head_sha: string;
      host: string | null;
      id: string;
      link: string | null;
      name: string;
      on_default_branch: boolean;
      owner: string;
      project: string;
      ready_key: string | null;
      ref: string | null;
      repo: string;
      serial: number;
      source: 'DEPLOYMENT' | 'STATUS' | 'CHECK' | 'DISPATCH';
      state: 'PENDING' | 'READY' | 'FAILED' | 'SKIPPED';
      step: number;
      updated_at: Date;
      url: string | null;
    },
    'created_at' | 'id' | 'on_default_branch' | 'project' | 'serial' | 'state' | 'step' | 'updated_at'
  >;
  pull_requests: Table<
    {
      base_branch: string;
      changed_at: Date;
      comment_shown: JsonColumn<'pull_requests.comment_shown'> | null;
      created_at: Date;
      draft: boolean;
      from_fork: boolean | null;
      head_branch: string;
      head_sha: string;
      id: string;
      installation_id: number;
      merge_commit_sha: string | null;
      merged_at: Date | null;
      number: number;
      owner: string;
      repo: string;
      state: 'OPEN' | 'CLOSED' | 'MERGED';
      summary_shown: JsonColumn<'pull_requests.summary_shown'> | null;
      title: string | null;
      updated_at: Date;
    },
    'created_at' | 'draft' | 'id' | 'state' | 'updated_at'
  >;
  rate_limits: Table<{ hits: number; key: string; not_before: Date | null; resets_at: Date }>;
  repositories: Table<
    {
      created_at: Date;
      default_branch: string;
      id: string;
      owner: string;
      repo: string;
      told_at: Date;
      updated_at: Date;
    },
    'created_at' | 'id' | 'updated_at'
  >;
  result_changes: Table<
    {
      after: string | null;
      approved_at: Date | null;
      approved_by: string | null;
      baseline_box: JsonColumn<'result_changes.baseline_box'> | null;
      before: string | null;
      canvas_box: JsonColumn<'result_changes.canvas_box'>;
      change_key: string;
      created_at: Date;
      current_box: JsonColumn<'result_changes.current_box'> | null;
      drift: boolean;
      element: string;
      faint: boolean;
      id: string;
      informs: boolean;
      kind: 'ADDED' | 'REMOVED' | 'MOVED' | 'RESIZED' | 'RESTYLED' | 'TEXT' | 'IMAGE' | 'PIXELS' | 'ACCESSIBILITY';
      page_result_id: string;
      picture: string | null;
      position: number;
      summary: string;
      test_run_id: string;
      updated_at: Date;
    },
    'created_at' | 'drift' | 'id' | 'informs' | 'updated_at'
  >;
  run_assignees: Table<
    { assigned_by: string | null; created_at: Date; grant_id: string | null; test_run_id: string; user_id: string },
    'created_at'
  >;
  run_schedules: Table<{ due_at: Date; schedule: string; test_suite_id: string }>;
  run_storage: Table<{ bytes: number; test_run_id: string }>;
  screenshot_comparisons: Table<
    {
      aligned_from_file: string | null;
      aligned_to_file: string | null;
      alignment: boolean;
      created_at: Date;
      diff_file: string;
      diff_percentage: number;
      from_file: string;
      height: number;
      id: string;
      regions: JsonColumn<'screenshot_comparisons.regions'>;
      test_suite_id: string;
      threshold: number;
      to_file: string;
      width: number;
    },
    'created_at' | 'id'
  >;
  sessions: Table<
    {
      created_at: Date;
      expires_at: Date;
      id: string;
      last_seen_at: Date | null;
      session_version: number;
      user_agent: string | null;
      user_id: string;
    },
    'id'
  >;
  settings_changes: Table<
    {
      base_config: JsonColumn<'settings_changes.base_config'>;
      created_at: Date;
      differences: JsonColumn<'settings_changes.differences'>;
      not_captured: number;
      own: JsonColumn<'settings_changes.own'>;
      test_run_id: string;
      updated_at: Date;
    },
    'created_at' | 'not_captured' | 'updated_at'
  >;
  sign_in_links: Table<
    { created_at: Date; expires_at: Date; id: string; session_version: number; token_hash: string; user_id: string },
    'created_at' | 'id'
  >;
  site_access: Table<
    {
      created_at: Date;
      kinds: JsonColumn<'site_access.kinds'>;
      origin: string;
      preview_hosts: JsonColumn<'site_access.preview_hosts'>;
      revision: string;
      sealed: string;
      test_suite_id: string;
      updated_at: Date;
    },
    'created_at' | 'revision' | 'updated_at'
  >;
  site_looks: Table<
    {
      address: string;
      created_at: Date;
      facts: JsonColumn<'site_looks.facts'> | null;
      id: string;
      picture: string | null;
      problem: string | null;
      status: 'PENDING' | 'DONE';
      typed: JsonColumn<'site_looks.typed'>;
      updated_at: Date;
      user_id: string;
    },
    'created_at' | 'id' | 'status' | 'updated_at'
  >;
  site_pages: Table<
    {
      added_by_hand: boolean;
      created_at: Date;
      first_seen_at: Date;
      found_on: string | null;
      id: string;
      last_seen_at: Date;
      owner_id: string;
      path: string;
      removed_at: Date | null;
      search_text: string;
      status: 'NEW' | 'ACTIVE' | 'REMOVED';
      test_suite_id: string;
      title: string | null;
      tracked: boolean;
      untracked_by_hand: boolean;
      updated_at: Date;
    },
    | 'added_by_hand'
    | 'created_at'
    | 'first_seen_at'
    | 'id'
    | 'last_seen_at'
    | 'status'
    | 'tracked'
    | 'untracked_by_hand'
    | 'updated_at',
    'search_text'
  >;
  suite_follows: Table<
    {
      created_at: Date;
      hears: 'ALL' | 'REVIEWS' | 'THREADS' | 'NOTHING' | null;
      tells: 'FAILED' | 'ALWAYS' | null;
      test_suite_id: string;
      user_id: string;
    },
    'created_at'
  >;
  suite_invitations: Table<
    {
      created_at: Date;
      email: string | null;
      expires_at: Date;
      id: string;
      invited_by: string;
      mailed_token_hashes: string[];
      role: 'VIEWER' | 'REVIEWER' | 'EDITOR' | 'ADMIN';
      test_suite_id: string;
      token_hash: string;
    },
    'created_at' | 'id' | 'mailed_token_hashes'
  >;
  suite_storage: Table<{ counted_at: Date; kinds: JsonColumn<'suite_storage.kinds'>; test_suite_id: string }>;
  target_deliveries: Table<
    {
      answer: string | null;
      attempts: number;
      created_at: Date;
      due_at: Date;
      error: string | null;
      id: number;
      message: JsonColumn<'target_deliveries.message'>;
      message_id: string;
      state: 'WAITING' | 'SENT' | 'GIVEN_UP';
      status: number | null;
      target_id: string;
      took_ms: number | null;
      tried_at: Date | null;
    },
    'attempts' | 'created_at' | 'due_at' | 'id' | 'state'
  >;
  targets: Table<
    {
      channel: string | null;
      created_at: Date;
      host: string;
      id: string;
      kind: 'WEBHOOK' | 'SLACK' | 'TEAMS';
      listens: string[];
      name: string;
      sealed: string;
      stopped_because: string | null;
      switched_off: boolean;
      tells: 'FAILED' | 'ALWAYS';
      test_suite_id: string | null;
      updated_at: Date;
    },
    'created_at' | 'id' | 'switched_off' | 'updated_at'
  >;
  test_run_logs: Table<
    {
      created_at: Date;
      id: string;
      message: string;
      metadata: JsonColumn<'test_run_logs.metadata'> | null;
      number: number;
      progress: number | null;
      test_run_id: string;
      timestamp: Date;
      type: 'INFO' | 'WARNING' | 'ERROR' | 'SUCCESS' | 'PROGRESS' | 'DEBUG' | 'SYSTEM';
      updated_at: Date;
    },
    'created_at' | 'id' | 'timestamp' | 'updated_at'
  >;
  test_runs: Table<
    {
      approved_results: number;
      build_id: string | null;
      cancelled_by: string | null;
      check_name: string | null;
      check_problem: string | null;
      check_shown: JsonColumn<'test_runs.check_shown'> | null;
      check_shown_at: Date | null;
      config: JsonColumn<'test_runs.config'>;
      created_at: Date;
      ended_at: Date | null;
      git_attempt: number;
      git_base_branch: string | null;
      git_base_number: number | null;
      git_branch: string | null;
      git_check_run_id: number | null;
      git_config_change: JsonColumn<'test_runs.git_config_change'> | null;
      git_enqueued: boolean | null;
      git_gated: boolean;
      git_head_sha: string | null;
      git_installation_id: number | null;
      git_merge_bases: JsonColumn<'test_runs.git_merge_bases'> | null;
      git_merged: boolean;
      git_message: string | null;
      git_owner: string | null;
      git_pr_number: number | null;
      git_preview_search: JsonColumn<'test_runs.git_preview_search'> | null;
      git_preview_url: string | null;
      git_repo: string | null;
      git_title: string | null;
      id: string;
      judge_again: boolean;
      last_log_number: number;
      login_warned: boolean;
      metadata: JsonColumn<'test_runs.metadata'> | null;
      number: number;
      open_requests: number;
      owner_id: string;
      preview_deadline: Date | null;
      renders_all: boolean;
      review_state: 'NOT_REQUIRED' | 'PENDING' | 'APPROVED';
      run_type: 'MANUAL' | 'PR' | 'BRANCH';
      search_text: string;
      section_counts: number[];
      settings_approved_at: Date | null;
      settings_approved_by: string | null;
      settings_carried_over: boolean;
      settings_hash: string | null;
      settings_undone_at: Date | null;
      started_at: Date | null;
      started_by: string | null;
      status: 'PENDING' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
      target_base_url: string;
      test_suite_id: string;
      token_name: string | null;
      total_results: number;
      trigger: 'USER' | 'TOKEN' | 'WORKFLOW' | 'PUSH' | 'MERGE' | 'CRAWL' | 'SCHEDULE' | null;
      turn: number;
      unmatched_selectors: JsonColumn<'test_runs.unmatched_selectors'> | null;
      updated_at: Date;
      verdict_number: number;
    },
    | 'approved_results'
    | 'created_at'
    | 'git_attempt'
    | 'git_gated'
    | 'git_merged'
    | 'id'
    | 'judge_again'
    | 'last_log_number'
    | 'login_warned'
    | 'open_requests'
    | 'renders_all'
    | 'review_state'
    | 'run_type'
    | 'section_counts'
    | 'settings_carried_over'
    | 'started_at'
    | 'status'
    | 'total_results'
    | 'turn'
    | 'updated_at'
    | 'verdict_number',
    'search_text'
  >;
  test_suite_grants: Table<
    {
      created_at: Date;
      from_group: boolean;
      granted_by: string | null;
      id: string;
      principal_id: string;
      principal_type: 'USER' | 'TEAM';
      role: 'VIEWER' | 'REVIEWER' | 'EDITOR' | 'ADMIN';
      test_suite_id: string;
      updated_at: Date;
    },
    'created_at' | 'from_group' | 'id' | 'principal_type' | 'role' | 'updated_at'
  >;
  test_suites: Table<
    {
      base_url: string;
      codehost_check_context: string | null;
      codehost_installation_id: number | null;
      codehost_owner: string | null;
      codehost_repo: string | null;
      codehost_repository_id: number | null;
      config: JsonColumn<'test_suites.config'>;
      config_file: JsonColumn<'test_suites.config_file'> | null;
      crawl_error: string | null;
      crawl_progress: JsonColumn<'test_suites.crawl_progress'> | null;
      crawl_queued_at: Date | null;
      crawl_stats: JsonColumn<'test_suites.crawl_stats'> | null;
      crawl_status: 'IDLE' | 'QUEUED' | 'CRAWLING' | 'COMPLETED' | 'FAILED';
      crawl_tracked: JsonColumn<'test_suites.crawl_tracked'> | null;
      created_at: Date;
      description: string | null;
      different_servers: string[];
      id: string;
      is_active: boolean;
      kind: 'SUITE' | 'MANUAL';
      last_crawled_at: Date | null;
      last_run_number: number;
      name: string;
      origin: string;
      proof_record: JsonColumn<'test_suites.proof_record'> | null;
      updated_at: Date;
      user_id: string;
    },
    | 'config'
    | 'crawl_status'
    | 'created_at'
    | 'different_servers'
    | 'id'
    | 'is_active'
    | 'kind'
    | 'last_run_number'
    | 'updated_at'
  >;
  users: Table<
    {
      administrator: 'NAMED' | 'GROUP' | null;
      created_at: Date;
      disabled_at: Date | null;
      email: string;
      email_verified: Date | null;
      id: string;
      image: string | null;
      name: string | null;
      password_hash: string | null;
      preferences: JsonColumn<'users.preferences'>;
      session_version: number;
      updated_at: Date;
    },
    'created_at' | 'id' | 'preferences' | 'session_version' | 'updated_at'
  >;
  verdicts: Table<
    {
      author_id: string | null;
      created_at: Date;
      decision: 'approve' | 'request_changes' | 'undo';
      note: string | null;
      number: number;
      results: number;
      settings: boolean;
      test_run_id: string;
      whole_run: boolean;
    },
    'created_at' | 'settings'
  >;
  webhook_deliveries: Table<
    {
      action: string | null;
      event: string;
      failures: number;
      handled_at: Date | null;
      id: string;
      installation_id: number | null;
      payload: string | null;
      polled: boolean;
      received_at: Date;
      repository: string | null;
      sequence: number;
      subject: string | null;
    },
    'failures' | 'polled' | 'received_at' | 'sequence'
  >;
}
