-- The tables of pg-boss 12.35 that held the jobs of Docloom 0.1.0, as far as the bridge from there meets them.
create schema pgboss;
create type pgboss.job_state as enum ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');

create table pgboss.version (version int primary key, cron_on timestamptz);

create table pgboss.schedule (
  name text,
  key text not null default '',
  kind text not null default 'cron',
  cron text not null,
  timezone text default 'UTC',
  data jsonb,
  options jsonb,
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now(),
  last_job_id uuid,
  primary key (name, key)
);

create table pgboss.job (
  id uuid not null default gen_random_uuid(),
  name text not null,
  priority integer not null default(0),
  data jsonb,
  state pgboss.job_state not null default 'created',
  retry_limit integer not null default 2,
  retry_count integer not null default 0,
  retry_delay integer not null default 0,
  retry_backoff boolean not null default false,
  retry_delay_max integer,
  expire_seconds int not null default 900,
  deletion_seconds int not null default 604800,
  singleton_key text,
  singleton_on timestamp without time zone,
  group_id text,
  group_tier text,
  start_after timestamptz not null default now(),
  created_on timestamptz not null default now(),
  started_on timestamptz,
  completed_on timestamptz,
  keep_until timestamptz not null default now() + interval '1209600',
  output jsonb,
  dead_letter text,
  policy text,
  heartbeat_on timestamptz,
  heartbeat_seconds int,
  blocked boolean not null default false,
  blocking boolean not null default false,
  pending_dependencies int not null default 0,
  source_name text,
  source_id uuid,
  source_created_on timestamptz,
  source_retry_count int,
  source_output jsonb,
  source_root_id uuid
) partition by list (name);
alter table pgboss.job add primary key (name, id);
create table pgboss.job_common (like pgboss.job including generated including defaults);
alter table pgboss.job_common add primary key (name, id);
create unique index job_common_i8 on pgboss.job_common (name, singleton_key)
  where state in ('active', 'retry', 'failed') and policy = 'key_strict_fifo';
alter table pgboss.job attach partition pgboss.job_common default;
