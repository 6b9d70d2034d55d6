CREATE TABLE "blob_uses" (
	"oid" text PRIMARY KEY NOT NULL,
	"needed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "server_identity" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"recorded_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "blob_uses_by_time" ON "blob_uses" USING btree ("needed_at");