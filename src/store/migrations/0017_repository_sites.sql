ALTER TABLE "repositories" ADD COLUMN "site" jsonb;--> statement-breakpoint
ALTER TABLE "site_spaces" ADD COLUMN "declared_by" text;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "declared_by" text;--> statement-breakpoint
CREATE UNIQUE INDEX "sites_by_declaration" ON "sites" USING btree ("organization_id","declared_by");