CREATE TABLE "agent_instructions" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"version" integer NOT NULL,
	"instructions" jsonb NOT NULL,
	"created_by" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "conversation_issues" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"conversation_id" text NOT NULL,
	"position" integer NOT NULL,
	"title" text NOT NULL,
	"summary" text NOT NULL,
	"method" text NOT NULL,
	"cluster_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ingested_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"source" text NOT NULL,
	"key" text NOT NULL,
	"source_id" text NOT NULL,
	"subject" text,
	"url" text,
	"attributes" jsonb NOT NULL,
	"parts" jsonb NOT NULL,
	"digest" text NOT NULL,
	"is_dated" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ingested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"processed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "issue_clusters" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"label" text NOT NULL,
	"summary" text NOT NULL,
	"icon" text NOT NULL,
	"method" text NOT NULL,
	"labelled_digest" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agent_instructions" ADD CONSTRAINT "agent_instructions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_issues" ADD CONSTRAINT "conversation_issues_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_issues" ADD CONSTRAINT "conversation_issues_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_issues" ADD CONSTRAINT "conversation_issues_cluster_id_issue_clusters_id_fk" FOREIGN KEY ("cluster_id") REFERENCES "public"."issue_clusters"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "issue_clusters" ADD CONSTRAINT "issue_clusters_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "agent_instructions_by_version" ON "agent_instructions" USING btree ("organization_id","version");--> statement-breakpoint
CREATE UNIQUE INDEX "conversation_issues_by_position" ON "conversation_issues" USING btree ("conversation_id","position");--> statement-breakpoint
CREATE INDEX "conversation_issues_of_organization" ON "conversation_issues" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "conversation_issues_of_cluster" ON "conversation_issues" USING btree ("cluster_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "conversations_by_key" ON "conversations" USING btree ("organization_id","key");--> statement-breakpoint
CREATE INDEX "conversations_of_organization" ON "conversations" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "conversations_of_source" ON "conversations" USING btree ("organization_id","source","created_at","id");--> statement-breakpoint
CREATE INDEX "conversations_to_process" ON "conversations" USING btree ("organization_id","ingested_at","id") WHERE processed_at is null;--> statement-breakpoint
CREATE INDEX "conversations_by_time" ON "conversations" USING btree ("ingested_at");--> statement-breakpoint
CREATE INDEX "issue_clusters_of_organization" ON "issue_clusters" USING btree ("organization_id","id");