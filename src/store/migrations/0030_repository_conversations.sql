CREATE TABLE "repository_conversations" (
	"repository_id" bigint NOT NULL,
	"organization_id" text NOT NULL,
	"source" text NOT NULL,
	"config_digest" text,
	"listed_at" timestamp (3) with time zone,
	"error" text,
	CONSTRAINT "repository_conversations_repository_id_organization_id_pk" PRIMARY KEY("repository_id","organization_id")
);
--> statement-breakpoint
ALTER TABLE "repository_conversations" ADD CONSTRAINT "repository_conversations_repository_id_repositories_id_fk" FOREIGN KEY ("repository_id") REFERENCES "public"."repositories"("id") ON DELETE cascade ON UPDATE no action;