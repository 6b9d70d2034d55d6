CREATE TABLE "job_schedules" (
	"name" text NOT NULL,
	"key" text NOT NULL,
	"cron" text NOT NULL,
	"time_zone" text NOT NULL,
	"payload" jsonb NOT NULL,
	"delay_seconds" integer NOT NULL,
	"done_until" timestamp with time zone DEFAULT now() NOT NULL,
	"next_at" timestamp with time zone,
	CONSTRAINT "job_schedules_name_key_pk" PRIMARY KEY("name","key")
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"payload" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"key" text,
	"priority" integer DEFAULT 0 NOT NULL,
	"rate_limit" text,
	"share" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"start_after" timestamp with time zone DEFAULT now() NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"attempt_limit" integer NOT NULL,
	"retry_delay" integer NOT NULL,
	"retry_delay_max" integer NOT NULL,
	"expire_seconds" integer NOT NULL,
	"process" integer,
	"started_at" timestamp with time zone,
	"heartbeat_at" timestamp with time zone,
	"failed_at" timestamp (3) with time zone,
	"error" text,
	CONSTRAINT "jobs_state" CHECK ("jobs"."state" in ('waiting', 'running', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "rate_limited_runs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rate_limited_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rate_limit" text NOT NULL,
	"share" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"concurrency" integer NOT NULL,
	"rates" jsonb NOT NULL,
	"fixed" boolean DEFAULT false NOT NULL,
	"paused_until" timestamp (3) with time zone,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "job_schedules_next" ON "job_schedules" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "jobs_waiting" ON "jobs" USING btree ("name","priority" DESC NULLS FIRST,"created_at","id") WHERE state = 'waiting' and rate_limit is null;--> statement-breakpoint
CREATE INDEX "jobs_waiting_of_rate_limit" ON "jobs" USING btree ("rate_limit","share","priority" DESC NULLS FIRST,"created_at","id") WHERE state = 'waiting' and rate_limit is not null;--> statement-breakpoint
CREATE INDEX "jobs_start_after" ON "jobs" USING btree ("name","start_after") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "jobs_of_key" ON "jobs" USING btree ("name","key","created_at","id") WHERE state <> 'failed' and key is not null;--> statement-breakpoint
CREATE INDEX "jobs_running" ON "jobs" USING btree ("rate_limit","share") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "jobs_failed" ON "jobs" USING btree ("failed_at") WHERE state = 'failed';--> statement-breakpoint
CREATE INDEX "rate_limited_runs_ended" ON "rate_limited_runs" USING btree ("rate_limit","ended_at");--> statement-breakpoint
CREATE INDEX "rate_limited_runs_started" ON "rate_limited_runs" USING btree ("rate_limit","share","started_at");--> statement-breakpoint
-- The bridge from 0.1.0, which kept its jobs in tables of pg-boss 12 (schema "pgboss"). It moves what waits and what
-- failed, and while processes of 0.1.0 still run during an update, whatever they enqueue, schedule and end. A job that
-- such a process runs has a row in "jobs", too: running, with "process" null. 0.3.0 removes the bridge: it moves what
-- is left and drops the schema "pgboss", the tables "lanes" and "lane_runs", and the functions below.
DO $bridge$
BEGIN
  IF to_regclass('pgboss.job') IS NULL THEN
    RETURN;
  END IF;
  -- Nobody writes there until the rows are moved and the triggers stand. In the order in which 0.1.0 enqueues a job.
  LOCK TABLE lanes, pgboss.job, pgboss.schedule IN SHARE ROW EXCLUSIVE MODE;

  CREATE FUNCTION docloom_move_job(old pgboss.job) RETURNS void LANGUAGE plpgsql AS $function$
  DECLARE
    -- pg-boss ended it because it took too long; what Docloom ended is kept for 90 days.
    took_too_long boolean := old.state = 'failed' AND old.deletion_seconds <> 7776000 AND old.started_on IS NOT NULL;
  BEGIN
    INSERT INTO rate_limits (key, concurrency, rates, fixed, paused_until)
      SELECT l.key, l.concurrency, l.rates, l.fixed, l.paused_until FROM lanes l WHERE l.key = old.group_id
      ON CONFLICT DO NOTHING;
    INSERT INTO rate_limited_runs (rate_limit, share, started_at, ended_at)
      SELECT j.rate_limit, j.share, j.started_at, clock_timestamp() FROM jobs j
      WHERE j.id = old.id AND j.state = 'running' AND j.process IS NULL AND j.rate_limit IS NOT NULL;
    INSERT INTO jobs AS j (id, name, payload, state, key, priority, rate_limit, share, created_at, start_after, attempt,
      attempt_limit, retry_delay, retry_delay_max, expire_seconds, started_at, heartbeat_at, failed_at, error)
    VALUES (
      old.id, old.name, coalesce(old.data, '{}'),
      CASE WHEN old.state = 'active' THEN 'running' WHEN old.state = 'failed' AND NOT took_too_long THEN 'failed' ELSE 'waiting' END,
      old.singleton_key, old.priority, old.group_id, old.group_tier, old.created_on,
      CASE WHEN took_too_long THEN now() ELSE old.start_after END,
      CASE WHEN took_too_long THEN greatest(old.retry_count, old.retry_limit) + 1
        WHEN old.started_on IS NULL THEN 0 ELSE old.retry_count + 1 END,
      old.retry_limit + 1, old.retry_delay, coalesce(old.retry_delay_max, 3600), old.expire_seconds, old.started_on,
      CASE WHEN old.state = 'active' THEN coalesce(old.heartbeat_on, old.started_on, now()) END,
      CASE WHEN old.state = 'failed' AND NOT took_too_long THEN old.completed_on END,
      left(coalesce(old.output->>'message', old.output->'value'->>'message', old.output->>'value'), 4000)
    )
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, created_at = excluded.created_at,
      start_after = excluded.start_after, attempt = excluded.attempt, attempt_limit = excluded.attempt_limit,
      started_at = excluded.started_at, heartbeat_at = excluded.heartbeat_at, failed_at = excluded.failed_at,
      error = excluded.error
    WHERE j.state = 'running' AND j.process IS NULL;
  END $function$;

  CREATE FUNCTION docloom_job_of_0_1() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    IF new.state = 'active' THEN
      UPDATE jobs SET heartbeat_at = coalesce(new.heartbeat_on, now())
        WHERE id = new.id AND state = 'running' AND process IS NULL;
    ELSIF new.state IN ('completed', 'cancelled') THEN
      WITH ended AS (
        DELETE FROM jobs WHERE id = new.id AND state = 'running' AND process IS NULL RETURNING rate_limit, share, started_at
      )
      INSERT INTO rate_limited_runs (rate_limit, share, started_at, ended_at)
        SELECT rate_limit, share, started_at, clock_timestamp() FROM ended WHERE rate_limit IS NOT NULL;
      PERFORM pg_notify('docloom_jobs', '');
    ELSE
      PERFORM docloom_move_job(new);
      DELETE FROM pgboss.job WHERE name = new.name AND id = new.id;
      PERFORM pg_notify('docloom_jobs', '');
    END IF;
    RETURN NULL;
  END $function$;

  -- Whoever takes such a job back takes it away from the process of 0.1.0.
  CREATE FUNCTION docloom_job_taken_from_0_1() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    DELETE FROM pgboss.job WHERE name = old.name AND id = old.id;
    RETURN NULL;
  END $function$;

  CREATE FUNCTION docloom_schedule_of_0_1() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    INSERT INTO job_schedules AS s (name, key, cron, time_zone, payload, delay_seconds)
      VALUES (new.name, new.key, new.cron, coalesce(new.timezone, 'UTC'), coalesce(new.data, '{}'),
        coalesce((new.options->>'startAfter')::int, 0))
      ON CONFLICT (name, key) DO UPDATE SET cron = excluded.cron, time_zone = excluded.time_zone,
        payload = excluded.payload, delay_seconds = excluded.delay_seconds, done_until = now(), next_at = NULL
      WHERE (s.cron, s.time_zone, s.payload, s.delay_seconds)
        IS DISTINCT FROM (excluded.cron, excluded.time_zone, excluded.payload, excluded.delay_seconds);
    DELETE FROM pgboss.schedule WHERE name = new.name AND key = new.key;
    RETURN NULL;
  END $function$;

  CREATE FUNCTION docloom_pause_of_0_1() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    UPDATE rate_limits SET paused_until = greatest(paused_until, new.paused_until) WHERE key = new.key;
    RETURN NULL;
  END $function$;

  INSERT INTO rate_limits (key, concurrency, rates, fixed, paused_until)
    SELECT key, concurrency, rates, fixed, paused_until FROM lanes;
  INSERT INTO rate_limited_runs (rate_limit, share, started_at, ended_at)
    SELECT lane, share, started_at, ended_at FROM lane_runs WHERE ended_at IS NOT NULL;
  PERFORM docloom_move_job(j) FROM pgboss.job j
    WHERE j.state IN ('created', 'retry', 'active', 'failed') AND j.name NOT LIKE '\_\_pgboss%';
  DELETE FROM pgboss.job WHERE state IN ('created', 'retry', 'failed') AND name NOT LIKE '\_\_pgboss%';
  -- What came due since pg-boss last looked is made up for.
  INSERT INTO job_schedules (name, key, cron, time_zone, payload, delay_seconds, done_until)
    SELECT s.name, s.key, s.cron, coalesce(s.timezone, 'UTC'), coalesce(s.data, '{}'),
      coalesce((s.options->>'startAfter')::int, 0), coalesce((SELECT max(v.cron_on) FROM pgboss.version v), now())
    FROM pgboss.schedule s;
  DELETE FROM pgboss.schedule;

  CREATE TRIGGER docloom_job_of_0_1 AFTER INSERT OR UPDATE ON pgboss.job FOR EACH ROW
    WHEN (new.name NOT LIKE '\_\_pgboss%') EXECUTE FUNCTION docloom_job_of_0_1();
  CREATE TRIGGER docloom_job_taken_from_0_1 AFTER UPDATE ON jobs FOR EACH ROW
    WHEN (old.state = 'running' AND old.process IS NULL AND new.state <> 'running')
    EXECUTE FUNCTION docloom_job_taken_from_0_1();
  CREATE TRIGGER docloom_schedule_of_0_1 AFTER INSERT OR UPDATE ON pgboss.schedule FOR EACH ROW
    EXECUTE FUNCTION docloom_schedule_of_0_1();
  CREATE TRIGGER docloom_pause_of_0_1 AFTER UPDATE OF paused_until ON lanes FOR EACH ROW
    EXECUTE FUNCTION docloom_pause_of_0_1();
END $bridge$;
