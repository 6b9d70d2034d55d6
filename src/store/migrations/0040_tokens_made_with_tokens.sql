ALTER TABLE "api_tokens" ADD COLUMN "made_with" text;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_made_with_api_tokens_id_fk" FOREIGN KEY ("made_with") REFERENCES "public"."api_tokens"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_tokens_made_with" ON "api_tokens" USING btree ("made_with") WHERE made_with is not null;