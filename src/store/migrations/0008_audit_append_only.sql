-- The retention of the audit log is at least 30 days, so nothing that is younger is ever deleted.
CREATE FUNCTION "docloom_refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.at < now() - interval '29 days' THEN
      RETURN OLD;
    END IF;
    RAISE EXCEPTION 'events of the audit log are deleted only by age, not before 29 days';
  END IF;
  RAISE EXCEPTION 'events of the audit log never change';
END $$;--> statement-breakpoint
CREATE TRIGGER "audit_events_never_change" BEFORE UPDATE OR TRUNCATE ON "audit_events" FOR EACH STATEMENT EXECUTE FUNCTION "docloom_refuse_audit_change"();--> statement-breakpoint
CREATE TRIGGER "audit_events_leave_by_age" BEFORE DELETE ON "audit_events" FOR EACH ROW EXECUTE FUNCTION "docloom_refuse_audit_change"();
