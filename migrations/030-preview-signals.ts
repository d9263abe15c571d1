import type { Knex } from 'knex';

/**
 * What was heard of the previews of commits, of every kind of event: also that one is being made, failed or was left
 * out, of which project it is, and GitHub's numbers, by which late events are told from new ones. A pull request's run
 * keeps what its search for a preview came to.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table preview_addresses rename to preview_signals;
    alter table preview_signals rename constraint preview_addresses_pkey to preview_signals_pkey;
    alter table preview_signals
      drop constraint preview_addresses_key,
      drop constraint preview_addresses_source_check,
      add column host text,
      add column project text not null default '',
      add column state text not null default 'READY',
      add column link text,
      add column ref text,
      add column on_default_branch boolean not null default false,
      add column serial bigint not null default 0,
      add column step bigint not null default 0,
      add column ready_key text,
      add constraint preview_signals_key unique (owner, repo, head_sha, source, name, project),
      add constraint preview_signals_source_check check (source in ('DEPLOYMENT', 'STATUS', 'CHECK', 'DISPATCH')),
      add constraint preview_signals_state_check check (state in ('PENDING', 'READY', 'FAILED', 'SKIPPED'));
    update preview_signals set ready_key = '0 ' || coalesce(url, '');
    create index preview_signals_repository_index on preview_signals (owner, repo, updated_at);

    alter table test_runs add column git_preview_search jsonb;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table test_runs drop column git_preview_search;

    delete from preview_signals where source not in ('DEPLOYMENT', 'STATUS') or project <> '' or ready_key is null;
    drop index preview_signals_repository_index;
    alter table preview_signals
      drop constraint preview_signals_key,
      drop constraint preview_signals_source_check,
      drop constraint preview_signals_state_check,
      drop column host, drop column project, drop column state, drop column link, drop column ref,
      drop column on_default_branch, drop column serial, drop column step, drop column ready_key;
    alter table preview_signals rename to preview_addresses;
    alter table preview_addresses rename constraint preview_signals_pkey to preview_addresses_pkey;
    alter table preview_addresses
      add constraint preview_addresses_key unique (owner, repo, head_sha, source, name),
      add constraint preview_addresses_source_check check (source in ('DEPLOYMENT', 'STATUS'));
  `);
}
