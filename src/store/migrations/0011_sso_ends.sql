ALTER TABLE "email_domains" ADD COLUMN "checked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "email_domains" ADD COLUMN "missing_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "sso_provider_id" text;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_sso_provider_id_identity_providers_id_fk" FOREIGN KEY ("sso_provider_id") REFERENCES "public"."identity_providers"("id") ON DELETE set null ON UPDATE no action;