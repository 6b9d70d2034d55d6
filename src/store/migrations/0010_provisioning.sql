ALTER TABLE "provisioned" ADD COLUMN "disabled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "provisioned" ADD COLUMN "profile" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "provisioned_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "provisioned_by_external_id" ON "provisioned" USING btree ("organization_id","external_id");--> statement-breakpoint
CREATE INDEX "provisioned_by_age" ON "provisioned" USING btree ("organization_id","created_at","user_id");--> statement-breakpoint
CREATE INDEX "teams_provisioned" ON "teams" USING btree ("organization_id",lower("title")) WHERE provisioned_at is not null;