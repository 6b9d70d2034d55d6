-- In the order in which processes of the release before write to them.
LOCK TABLE "organizations", "spaces", "grants" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "site_redirects" (
	"id" text PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"source" text NOT NULL,
	"destination" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_section_groups" (
	"id" text PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"parent_id" text,
	"title" text NOT NULL,
	"icon" text,
	"position" numeric NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_sections" (
	"id" text PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"group_id" text,
	"title" text NOT NULL,
	"description" text,
	"path" text NOT NULL,
	"icon" text,
	"condition" text,
	"default_site_space_id" text,
	"position" numeric NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_sections_by_path" UNIQUE("site_id","path")
);
--> statement-breakpoint
CREATE TABLE "site_share_links" (
	"id" text PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"name" text NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"hash" text NOT NULL,
	"prefix" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_share_links_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "site_spaces" (
	"id" text PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"section_id" text,
	"space_id" text NOT NULL,
	"path" text NOT NULL,
	"condition" text,
	"customization" jsonb,
	"position" numeric NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_spaces_by_path" UNIQUE NULLS NOT DISTINCT("site_id","section_id","path")
);
--> statement-breakpoint
CREATE TABLE "site_visitor_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"sealed_key" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"retired_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sites" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"title" text NOT NULL,
	"type" text DEFAULT 'basic' NOT NULL,
	"visibility" text NOT NULL,
	"published_at" timestamp (3) with time zone,
	"basename" text NOT NULL,
	"hostname" text,
	"proxy" text,
	"adaptive_content" boolean DEFAULT false NOT NULL,
	"adaptive_schema" jsonb,
	"adaptive_schema_updated_at" timestamp (3) with time zone,
	"agents_context" text DEFAULT 'excluded' NOT NULL,
	"customization" jsonb,
	"fallback_url" text,
	"default_section_id" text,
	"default_site_space_id" text,
	"version" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sites_hostname_unique" UNIQUE("hostname"),
	CONSTRAINT "sites_by_basename" UNIQUE("organization_id","basename")
);
--> statement-breakpoint
ALTER TABLE "site_redirects" ADD CONSTRAINT "site_redirects_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_section_groups" ADD CONSTRAINT "site_section_groups_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_section_groups" ADD CONSTRAINT "site_section_groups_parent_id_site_section_groups_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."site_section_groups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_sections" ADD CONSTRAINT "site_sections_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_sections" ADD CONSTRAINT "site_sections_group_id_site_section_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."site_section_groups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_sections" ADD CONSTRAINT "site_sections_default_site_space_id_site_spaces_id_fk" FOREIGN KEY ("default_site_space_id") REFERENCES "public"."site_spaces"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_share_links" ADD CONSTRAINT "site_share_links_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_spaces" ADD CONSTRAINT "site_spaces_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_spaces" ADD CONSTRAINT "site_spaces_section_id_site_sections_id_fk" FOREIGN KEY ("section_id") REFERENCES "public"."site_sections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_spaces" ADD CONSTRAINT "site_spaces_space_id_spaces_id_fk" FOREIGN KEY ("space_id") REFERENCES "public"."spaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_visitor_keys" ADD CONSTRAINT "site_visitor_keys_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_default_section_id_site_sections_id_fk" FOREIGN KEY ("default_section_id") REFERENCES "public"."site_sections"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_default_site_space_id_site_spaces_id_fk" FOREIGN KEY ("default_site_space_id") REFERENCES "public"."site_spaces"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "site_redirects_of_site" ON "site_redirects" USING btree ("site_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "site_redirects_by_source" ON "site_redirects" USING btree ("site_id","source");--> statement-breakpoint
CREATE INDEX "site_section_groups_of_site" ON "site_section_groups" USING btree ("site_id","position","id");--> statement-breakpoint
CREATE INDEX "site_section_groups_below" ON "site_section_groups" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "site_sections_of_site" ON "site_sections" USING btree ("site_id","position","id");--> statement-breakpoint
CREATE INDEX "site_sections_of_group" ON "site_sections" USING btree ("group_id");--> statement-breakpoint
CREATE INDEX "site_sections_by_default_site_space" ON "site_sections" USING btree ("default_site_space_id");--> statement-breakpoint
CREATE INDEX "site_share_links_of_site" ON "site_share_links" USING btree ("site_id","created_at","id");--> statement-breakpoint
CREATE INDEX "site_spaces_of_site" ON "site_spaces" USING btree ("site_id","position","id");--> statement-breakpoint
CREATE INDEX "site_spaces_of_section" ON "site_spaces" USING btree ("section_id");--> statement-breakpoint
CREATE INDEX "site_spaces_of_space" ON "site_spaces" USING btree ("space_id");--> statement-breakpoint
CREATE INDEX "site_visitor_keys_of_site" ON "site_visitor_keys" USING btree ("site_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "site_visitor_keys_that_sign" ON "site_visitor_keys" USING btree ("site_id") WHERE retired_at is null;--> statement-breakpoint
CREATE INDEX "sites_of_organization" ON "sites" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sites_by_default_section" ON "sites" USING btree ("default_section_id");--> statement-breakpoint
CREATE INDEX "sites_by_default_site_space" ON "sites" USING btree ("default_site_space_id");--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Whoever serves a site may cache what it shows by its version, so no change may pass without raising it: not one of a
-- process of an older release either, which knows spaces but no sites.
CREATE FUNCTION "docloom_raise_site_version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM pg_notify('docloom_sites', OLD.id);
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    NEW.version := OLD.version + 1;
  END IF;
  PERFORM pg_notify('docloom_sites', NEW.id);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "sites_raise_version" BEFORE INSERT OR UPDATE OR DELETE ON "sites" FOR EACH ROW EXECUTE FUNCTION "docloom_raise_site_version"();--> statement-breakpoint
CREATE FUNCTION "docloom_touch_site"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE sites SET version = version WHERE id = OLD.site_id;
  ELSE
    UPDATE sites SET version = version WHERE id = NEW.site_id;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "site_section_groups_touch_site" AFTER INSERT OR UPDATE OR DELETE ON "site_section_groups" FOR EACH ROW EXECUTE FUNCTION "docloom_touch_site"();--> statement-breakpoint
CREATE TRIGGER "site_sections_touch_site" AFTER INSERT OR UPDATE OR DELETE ON "site_sections" FOR EACH ROW EXECUTE FUNCTION "docloom_touch_site"();--> statement-breakpoint
CREATE TRIGGER "site_spaces_touch_site" AFTER INSERT OR UPDATE OR DELETE ON "site_spaces" FOR EACH ROW EXECUTE FUNCTION "docloom_touch_site"();--> statement-breakpoint
CREATE TRIGGER "site_share_links_touch_site" AFTER INSERT OR UPDATE OR DELETE ON "site_share_links" FOR EACH ROW EXECUTE FUNCTION "docloom_touch_site"();--> statement-breakpoint
CREATE TRIGGER "site_redirects_touch_site" AFTER INSERT OR UPDATE OR DELETE ON "site_redirects" FOR EACH ROW EXECUTE FUNCTION "docloom_touch_site"();--> statement-breakpoint
CREATE TRIGGER "site_visitor_keys_touch_site" AFTER INSERT OR UPDATE OR DELETE ON "site_visitor_keys" FOR EACH ROW EXECUTE FUNCTION "docloom_touch_site"();--> statement-breakpoint
-- A space that goes to another organization leaves the sites of the one before. Sites are locked in one order, so that
-- changes of two spaces never wait for each other.
CREATE FUNCTION "docloom_touch_sites_of_space"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM sites WHERE id IN (SELECT site_id FROM site_spaces WHERE space_id = NEW.id)
    ORDER BY id FOR NO KEY UPDATE;
  UPDATE sites SET version = version WHERE id IN (SELECT site_id FROM site_spaces WHERE space_id = NEW.id);
  IF NEW.organization_id <> OLD.organization_id THEN
    DELETE FROM site_spaces USING sites
    WHERE site_spaces.space_id = NEW.id AND sites.id = site_spaces.site_id
      AND sites.organization_id <> NEW.organization_id;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "spaces_touch_sites" AFTER UPDATE OF "organization_id", "title", "emoji", "language", "visibility", "revision_id", "git_sync", "deleted_at" ON "spaces" FOR EACH ROW
WHEN ((OLD.organization_id, OLD.title, OLD.emoji, OLD.language, OLD.visibility, OLD.revision_id, OLD.git_sync, OLD.deleted_at)
  IS DISTINCT FROM (NEW.organization_id, NEW.title, NEW.emoji, NEW.language, NEW.visibility, NEW.revision_id, NEW.git_sync, NEW.deleted_at))
EXECUTE FUNCTION "docloom_touch_sites_of_space"();--> statement-breakpoint
-- The addresses of its sites change.
CREATE FUNCTION "docloom_touch_sites_of_organization"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sites SET version = version WHERE organization_id = NEW.id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "organizations_touch_sites" AFTER UPDATE OF "hostname" ON "organizations" FOR EACH ROW
WHEN (OLD.hostname IS DISTINCT FROM NEW.hostname)
EXECUTE FUNCTION "docloom_touch_sites_of_organization"();
