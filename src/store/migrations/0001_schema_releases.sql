CREATE TABLE "schema_releases" (
	"release" text PRIMARY KEY NOT NULL,
	"compatible_from" text NOT NULL,
	"recorded_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
