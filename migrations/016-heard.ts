import type { Knex } from 'knex';

const KINDS = ['ADDED', 'REMOVED', 'MOVED', 'RESIZED', 'RESTYLED', 'TEXT', 'IMAGE', 'PIXELS'];

const check = (kinds: string[]) => `
    alter table result_changes drop constraint result_changes_kind_check;
    alter table result_changes add constraint result_changes_kind_check
      check (kind in (${kinds.map((kind) => `'${kind}'`).join(', ')}));`;

/** What assistive technology is told of a page, beside what it looks like. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table page_results
      -- The accessibility tree. Null: it was not read.
      add column heard_file text,
      add column control_heard_file text,
      -- How it differs from that of the version: the change_key of each difference, also of those that are only told.
      add column heard_ids jsonb,
      -- A hash of them, where they hold the gate. Null: they don't, or there are none.
      add column heard_key text;
    alter table baseline_versions add column heard_file text;
    -- It is only told, and needs no decision.
    alter table result_changes add column informs boolean not null default false;
    ${check([...KINDS, 'ACCESSIBILITY'])}
    -- What assistive technology hears otherwise in a run, which may be at results that pass.
    create index result_changes_heard_index on result_changes (test_run_id, change_key) where kind = 'ACCESSIBILITY';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index result_changes_heard_index;
    delete from result_changes where kind = 'ACCESSIBILITY';
    ${check(KINDS)}
    alter table result_changes drop column informs;
    alter table baseline_versions drop column heard_file;
    alter table page_results drop column heard_file, drop column control_heard_file, drop column heard_ids, drop column heard_key;
  `);
}
