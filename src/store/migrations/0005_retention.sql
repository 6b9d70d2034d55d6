ALTER TABLE "bindings" ADD COLUMN "disconnected_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "bindings" ADD COLUMN "claimed_space" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "repositories" ADD COLUMN "disconnected_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "translation_memory" ADD COLUMN "unneeded_since" timestamp (3) with time zone;