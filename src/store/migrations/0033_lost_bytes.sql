ALTER TABLE "space_blobs" ADD COLUMN "lost_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "space_blobs" ADD COLUMN "sought_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "space_blobs_lost" ON "space_blobs" USING btree ("space_id") WHERE lost_at is not null;