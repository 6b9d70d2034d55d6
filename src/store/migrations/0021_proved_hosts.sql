ALTER TABLE "sites" ADD COLUMN "hostname_proved" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- A host belongs to an organization that has proved its domain, or a domain above it.
CREATE FUNCTION "docloom_is_host_proved"(organization text, host text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM email_domains
    WHERE organization_id = organization AND proved_at IS NOT NULL
      AND (host = domain OR right(host, length(domain) + 1) = '.' || domain))
$$;--> statement-breakpoint
CREATE FUNCTION "docloom_prove_host_of_site"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.hostname_proved := NEW.hostname IS NOT NULL AND docloom_is_host_proved(NEW.organization_id, NEW.hostname);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "sites_prove_host" BEFORE INSERT OR UPDATE OF "hostname", "hostname_proved" ON "sites" FOR EACH ROW EXECUTE FUNCTION "docloom_prove_host_of_site"();--> statement-breakpoint
-- Whoever proves a domain, in whatever release, or loses it, changes which hosts are served.
CREATE FUNCTION "docloom_prove_hosts_of_domain"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed email_domains;
BEGIN
  IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
  UPDATE sites SET hostname_proved = NOT hostname_proved
  WHERE organization_id = changed.organization_id AND hostname IS NOT NULL
    AND hostname_proved <> docloom_is_host_proved(organization_id, hostname);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "email_domains_prove_hosts" AFTER INSERT OR UPDATE OF "proved_at" OR DELETE ON "email_domains" FOR EACH ROW EXECUTE FUNCTION "docloom_prove_hosts_of_domain"();--> statement-breakpoint
UPDATE "sites" SET "hostname_proved" = true WHERE docloom_is_host_proved("organization_id", "hostname");
