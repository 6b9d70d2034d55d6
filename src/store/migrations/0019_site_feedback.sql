CREATE TABLE "site_feedback" (
	"id" text PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"space_id" text NOT NULL,
	"page_id" text NOT NULL,
	"path" text NOT NULL,
	"title" text NOT NULL,
	"helpful" boolean NOT NULL,
	"comment" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "site_feedback" ADD CONSTRAINT "site_feedback_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "site_feedback_of_site" ON "site_feedback" USING btree ("site_id","created_at","id");