-- Tells the processes that show the status of repositories when it may have changed; each statement once, and without content.
CREATE FUNCTION "docloom_notify_status"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('docloom_status', '');
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "repositories_notify_status" AFTER INSERT OR UPDATE OR DELETE ON "repositories" FOR EACH STATEMENT EXECUTE FUNCTION "docloom_notify_status"();--> statement-breakpoint
CREATE TRIGGER "bindings_notify_status" AFTER INSERT OR UPDATE OR DELETE ON "bindings" FOR EACH STATEMENT EXECUTE FUNCTION "docloom_notify_status"();--> statement-breakpoint
CREATE TRIGGER "exports_notify_status" AFTER INSERT OR UPDATE OR DELETE ON "exports" FOR EACH STATEMENT EXECUTE FUNCTION "docloom_notify_status"();--> statement-breakpoint
CREATE TRIGGER "git_operations_notify_status" AFTER INSERT OR UPDATE OR DELETE ON "git_operations" FOR EACH STATEMENT EXECUTE FUNCTION "docloom_notify_status"();--> statement-breakpoint
CREATE TRIGGER "openapi_sources_notify_status" AFTER INSERT OR UPDATE OR DELETE ON "openapi_sources" FOR EACH STATEMENT EXECUTE FUNCTION "docloom_notify_status"();--> statement-breakpoint
CREATE TRIGGER "repository_translations_notify_status" AFTER INSERT OR UPDATE OR DELETE ON "repository_translations" FOR EACH STATEMENT EXECUTE FUNCTION "docloom_notify_status"();--> statement-breakpoint
-- Most changes of jobs change nothing that is shown, so the function is called for failures only.
CREATE TRIGGER "jobs_notify_status" AFTER UPDATE OF "state" ON "jobs" FOR EACH ROW WHEN (NEW.state = 'failed') EXECUTE FUNCTION "docloom_notify_status"();
