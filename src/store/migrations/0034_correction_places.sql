ALTER TABLE "translation_memory" ADD COLUMN "path" text;--> statement-breakpoint
ALTER TABLE "translation_memory" ADD COLUMN "correction" jsonb;--> statement-breakpoint
CREATE INDEX "translation_memory_corrected" ON "translation_memory" USING btree ("translation_id","path") WHERE origin = 'person';