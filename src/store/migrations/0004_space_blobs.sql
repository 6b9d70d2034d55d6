CREATE TABLE "space_blobs" (
	"space_id" text NOT NULL,
	"oid" text NOT NULL,
	"last_needed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "space_blobs_space_id_oid_pk" PRIMARY KEY("space_id","oid")
);
--> statement-breakpoint
ALTER TABLE "revisions" ADD COLUMN "blobs_recorded" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "space_blobs" ADD CONSTRAINT "space_blobs_space_id_spaces_id_fk" FOREIGN KEY ("space_id") REFERENCES "public"."spaces"("id") ON DELETE cascade ON UPDATE no action;