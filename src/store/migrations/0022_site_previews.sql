CREATE TABLE "site_previews" (
	"id" text PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"source" text NOT NULL,
	"title" text NOT NULL,
	"url" text NOT NULL,
	"revisions" jsonb NOT NULL,
	"sealed_key" text NOT NULL,
	"key_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "site_previews" ADD CONSTRAINT "site_previews_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "site_previews_of_source" ON "site_previews" USING btree ("site_id","source");--> statement-breakpoint
CREATE INDEX "site_previews_by_time" ON "site_previews" USING btree ("updated_at");