import type { Knex } from 'knex';

/** The GitHub App: where it is installed, and what it delivers. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The App that was created from the manifest, one at most. Credentials in the environment win over it.
    create table github_app (
      singleton boolean primary key default true check (singleton),
      app_id bigint not null,
      slug text not null,
      name text not null,
      html_url text not null,
      client_id text not null,
      -- With a key that is not in the database.
      encrypted_secrets text not null,
      created_by uuid references users on delete set null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index github_app_created_by_index on github_app (created_by);

    create table code_host_installations (
      id uuid primary key default gen_random_uuid(),
      installation_id bigint not null constraint code_host_installations_installation_id_key unique,
      account_login text not null,
      account_type text,
      repos text[] not null default '{}',
      suspended_at timestamptz,
      permissions jsonb,
      events text[] not null default '{}',
      -- GitHub's time of the newest event that was applied. An older one that comes late changes nothing.
      changed_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    -- Until when GitHub asked for no more requests, for all threads and hosts to obey. 0: of the App itself.
    create table github_pauses (
      installation_id bigint primary key,
      until timestamptz not null
    );

    -- Deliveries are answered once they are stored, and handled by jobs.
    create table webhook_deliveries (
      -- GitHub's. A redelivery has the same.
      id text primary key,
      event text not null,
      action text,
      installation_id bigint,
      repository text,
      received_at timestamptz not null default now(),
      -- GitHub did not deliver it, but told it when it was asked.
      polled boolean not null default false,
      -- What it is about, such as a pull request: those of a subject are handled in their order, by one job. Null: nothing is to be done.
      subject text,
      sequence bigint generated always as identity,
      -- What the handler reads, until it was handled: JSON, as text because jsonb refuses some strings that JSON allows.
      payload text,
      failures integer not null default 0,
      handled_at timestamptz
    );
    -- What is to be handled.
    create index webhook_deliveries_waiting_index on webhook_deliveries (subject, sequence)
      where handled_at is null and subject is not null;
    -- The newest delivery of an event, for the doctor, and the oldest ones, to be removed.
    create index webhook_deliveries_event_index on webhook_deliveries (event, received_at desc);
    create index webhook_deliveries_received_index on webhook_deliveries (received_at);

    -- How far GitHub was asked for what did not arrive. A round looks at what happened since complete_until, newest first, and may take
    -- several jobs: then next says where it goes on, and round_started_at is what it completes.
    create table delivery_rounds (
      app_id bigint primary key,
      complete_until timestamptz not null,
      round_started_at timestamptz,
      next text,
      checked_at timestamptz not null,
      -- Why the last round could not be finished.
      problem text
    );

    create table missed_deliveries (
      id text primary key,
      -- GitHub's number of the attempt that failed.
      attempt_id bigint not null,
      event text not null,
      delivered_at timestamptz not null,
      -- When GitHub was asked to deliver it again.
      asked_at timestamptz
    );
    -- The oldest that were missed.
    create index missed_deliveries_delivered_index on missed_deliveries (delivered_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table missed_deliveries, delivery_rounds, webhook_deliveries, github_pauses, code_host_installations, github_app;
  `);
}
