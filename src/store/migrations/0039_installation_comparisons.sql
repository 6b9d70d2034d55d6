CREATE TABLE "installation_comparisons" (
	"installation_id" bigint PRIMARY KEY NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	"listed_at" timestamp (3) with time zone,
	"compared_at" timestamp (3) with time zone,
	"missed_at" timestamp (3) with time zone,
	"claim" text,
	"claimed_until" timestamp (3) with time zone,
	"after_repository" bigint
);
