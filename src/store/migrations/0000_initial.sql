CREATE TABLE "change_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"space_id" text NOT NULL,
	"number" integer NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"status" text NOT NULL,
	"created_by" text,
	"base_revision_id" text NOT NULL,
	"revision_id" text NOT NULL,
	"merged_revision_id" text,
	"merged_by" text,
	"merged_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "content_ids" (
	"space_id" text NOT NULL,
	"kind" text NOT NULL,
	"git_path" text NOT NULL,
	"id" text NOT NULL,
	CONSTRAINT "content_ids_space_id_kind_git_path_pk" PRIMARY KEY("space_id","kind","git_path")
);
--> statement-breakpoint
CREATE TABLE "entries" (
	"history_id" text NOT NULL,
	"since" integer NOT NULL,
	"until" integer DEFAULT 2147483647 NOT NULL,
	"path" text NOT NULL,
	"oid" text NOT NULL,
	"mode" text NOT NULL,
	"size" bigint,
	"page_id" text,
	"links_id" text,
	CONSTRAINT "entries_history_id_path_since_pk" PRIMARY KEY("history_id","path","since")
);
--> statement-breakpoint
CREATE TABLE "files" (
	"history_id" text NOT NULL,
	"since" integer NOT NULL,
	"until" integer DEFAULT 2147483647 NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"content_type" text NOT NULL,
	"size" bigint NOT NULL,
	"width" integer,
	"height" integer,
	"git_path" text NOT NULL,
	"git_oid" text NOT NULL,
	CONSTRAINT "files_history_id_id_since_pk" PRIMARY KEY("history_id","id","since")
);
--> statement-breakpoint
CREATE TABLE "histories" (
	"id" text PRIMARY KEY NOT NULL,
	"space_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "links" (
	"space_id" text NOT NULL,
	"set_id" text NOT NULL,
	"ordinal" integer NOT NULL,
	"line" integer NOT NULL,
	"column" integer NOT NULL,
	"end_line" integer NOT NULL,
	"end_column" integer NOT NULL,
	"target" text NOT NULL,
	"relation" text NOT NULL,
	"status" text NOT NULL,
	"rule" text,
	"message" text,
	"suggestion" text,
	"target_kind" text NOT NULL,
	"target_page_id" text,
	"target_file_id" text,
	"target_anchor" text,
	"target_url" text,
	CONSTRAINT "links_space_id_set_id_ordinal_pk" PRIMARY KEY("space_id","set_id","ordinal")
);
--> statement-breakpoint
CREATE TABLE "moved_pages" (
	"space_id" text NOT NULL,
	"path" text NOT NULL,
	"page_id" text NOT NULL,
	"moved_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "moved_pages_space_id_path_pk" PRIMARY KEY("space_id","path")
);
--> statement-breakpoint
CREATE TABLE "pages" (
	"history_id" text NOT NULL,
	"since" integer NOT NULL,
	"until" integer DEFAULT 2147483647 NOT NULL,
	"id" text NOT NULL,
	"parent_id" text,
	"position" integer NOT NULL,
	"type" text NOT NULL,
	"title" text NOT NULL,
	"emoji" text,
	"icon" text,
	"slug" text NOT NULL,
	"path" text NOT NULL,
	"description" text,
	"hidden" boolean DEFAULT false NOT NULL,
	"href" text,
	"git_path" text,
	"git_oid" text,
	"dialect" text,
	"settings" jsonb,
	"sections_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "pages_history_id_id_since_pk" PRIMARY KEY("history_id","id","since")
);
--> statement-breakpoint
CREATE TABLE "revisions" (
	"id" text PRIMARY KEY NOT NULL,
	"space_id" text NOT NULL,
	"history_id" text NOT NULL,
	"version" integer NOT NULL,
	"parents" text[] DEFAULT '{}' NOT NULL,
	"type" text NOT NULL,
	"standalone" boolean DEFAULT false NOT NULL,
	"commit_oid" text,
	"tree_oid" text,
	"root_tree_oid" text,
	"inputs" text,
	"counts" jsonb DEFAULT '{}' NOT NULL,
	"notices" jsonb,
	"directory" text DEFAULT '' NOT NULL,
	"ref" text,
	"message" text,
	"commit_url" text,
	"origin" jsonb DEFAULT '{}' NOT NULL,
	"created_by_service" boolean DEFAULT false NOT NULL,
	"format" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sections" (
	"set_id" text NOT NULL,
	"ordinal" integer NOT NULL,
	"anchor" text,
	"heading" text,
	"body" text NOT NULL,
	"words" "tsvector" NOT NULL,
	"kept_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sections_set_id_ordinal_pk" PRIMARY KEY("set_id","ordinal")
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"history_id" text NOT NULL,
	"since" integer NOT NULL,
	"until" integer DEFAULT 2147483647 NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"value" text NOT NULL,
	"content_id" text,
	"git_oid" text,
	CONSTRAINT "settings_history_id_key_since_pk" PRIMARY KEY("history_id","key","since")
);
--> statement-breakpoint
CREATE TABLE "texts" (
	"oid" text PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL,
	"kept_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "github_answers" (
	"key" text PRIMARY KEY NOT NULL,
	"etag" text NOT NULL,
	"value" jsonb NOT NULL,
	"used_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bindings" (
	"id" text PRIMARY KEY NOT NULL,
	"installation_id" bigint NOT NULL,
	"repository_id" bigint NOT NULL,
	"repository" text NOT NULL,
	"branch" text NOT NULL,
	"directory" text NOT NULL,
	"title" text NOT NULL,
	"pinned" boolean DEFAULT false NOT NULL,
	"direction" text DEFAULT 'import' NOT NULL,
	"space_id" text,
	"live_oid" text,
	"last_error" text,
	"settled_oid" text,
	"pending_oids" text[] DEFAULT '{}' NOT NULL,
	"disconnected" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "call_windows" (
	"key" text PRIMARY KEY NOT NULL,
	"starts" timestamp (3) with time zone[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"event" text NOT NULL,
	"action" text,
	"installation_id" bigint,
	"repository_id" bigint,
	"repository" text,
	"payload" text NOT NULL,
	"state" text DEFAULT 'received' NOT NULL,
	"error" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"redeliveries" integer DEFAULT 0 NOT NULL,
	"asked_at" timestamp (3) with time zone,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "report_runs" (
	"id" bigint PRIMARY KEY NOT NULL,
	"report_id" text NOT NULL,
	"base_oid" text NOT NULL,
	"name" text NOT NULL,
	"directory" text,
	"told" text,
	"verdict" jsonb,
	"annotations" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"repository_id" bigint NOT NULL,
	"repository" text NOT NULL,
	"pull_number" integer NOT NULL,
	"head_oid" text NOT NULL,
	"base_oid" text NOT NULL,
	"rerun_by" text,
	"conclusion" text NOT NULL,
	"report" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "repositories" (
	"id" bigint PRIMARY KEY NOT NULL,
	"installation_id" bigint NOT NULL,
	"full_name" text NOT NULL,
	"default_branch" text NOT NULL,
	"disconnected" text,
	"settled_branch" text,
	"settled_oid" text,
	"tried_oid" text,
	"tried_at" timestamp (3) with time zone,
	"looked_at" timestamp (3) with time zone,
	"config_text" text,
	"config_oid" text,
	"config_error" text,
	"onboarding" text,
	"onboarding_pull" integer,
	"onboarding_digest" text
);
--> statement-breakpoint
CREATE TABLE "turns" (
	"name" text PRIMARY KEY NOT NULL,
	"taken_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "openapi_operations" (
	"spec_id" text NOT NULL,
	"ordinal" integer NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"tag" text,
	"title" text NOT NULL,
	"is_deprecated" boolean NOT NULL,
	"view" "bytea" NOT NULL,
	CONSTRAINT "openapi_operations_spec_id_ordinal_pk" PRIMARY KEY("spec_id","ordinal")
);
--> statement-breakpoint
CREATE TABLE "openapi_specs" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"slug" text NOT NULL,
	"visibility" text DEFAULT 'private' NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"generation" integer DEFAULT 1 NOT NULL,
	"source_url" text,
	"sealed_source" text,
	"etag" text,
	"last_modified" text,
	"digest" text,
	"last_version_id" text,
	"last_processed_at" timestamp (3) with time zone,
	"last_error_code" text,
	"last_errors" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "openapi_uploads" (
	"spec_id" text PRIMARY KEY NOT NULL,
	"generation" integer NOT NULL,
	"content" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "openapi_versions" (
	"id" text PRIMARY KEY NOT NULL,
	"sequence" bigserial NOT NULL,
	"spec_id" text NOT NULL,
	"digest" text NOT NULL,
	"title" text NOT NULL,
	"content" "bytea" NOT NULL,
	"document" "bytea",
	"changes" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"organization_id" text,
	"role" text,
	"hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_tokens_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "collections" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"parent_id" text,
	"title" text NOT NULL,
	"description" text,
	"default_level" text,
	"position" numeric DEFAULT '0' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "git_operations" (
	"id" text PRIMARY KEY NOT NULL,
	"sequence" bigserial NOT NULL,
	"space_id" text NOT NULL,
	"direction" text NOT NULL,
	"state" text NOT NULL,
	"stage" text,
	"progress" jsonb,
	"error" jsonb,
	"message" text,
	"unchanged" boolean DEFAULT false NOT NULL,
	"standalone" boolean DEFAULT false NOT NULL,
	"request" jsonb NOT NULL,
	"sealed_credentials" text,
	"timestamp" timestamp (3) with time zone NOT NULL,
	"ref" text NOT NULL,
	"commit_oid" text,
	"revision_id" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"not_before" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "members" (
	"organization_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text,
	"joined_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone,
	CONSTRAINT "members_organization_id_user_id_pk" PRIMARY KEY("organization_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"email_domains" text[] DEFAULT '{}' NOT NULL,
	"hostname" text,
	"default_role" text,
	"logo" text,
	"sso" boolean DEFAULT false NOT NULL,
	"ai" boolean DEFAULT false NOT NULL,
	"invite_links" boolean DEFAULT false NOT NULL,
	"merge_rules" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "organizations_hostname_unique" UNIQUE("hostname")
);
--> statement-breakpoint
CREATE TABLE "spaces" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"title" text NOT NULL,
	"emoji" text,
	"parent_id" text,
	"position" numeric DEFAULT '0' NOT NULL,
	"language" text,
	"visibility" text DEFAULT 'private' NOT NULL,
	"edit_mode" text DEFAULT 'live' NOT NULL,
	"default_level" text,
	"merge_rules" jsonb,
	"revision_id" text,
	"git_sync" jsonb,
	"synced_revision_id" text,
	"ids_version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"display_name" text NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "lane_runs" (
	"job_id" uuid NOT NULL,
	"attempt" integer NOT NULL,
	"lane" text NOT NULL,
	"share" text NOT NULL,
	"process" integer NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "lane_runs_job_id_attempt_pk" PRIMARY KEY("job_id","attempt")
);
--> statement-breakpoint
CREATE TABLE "lanes" (
	"key" text PRIMARY KEY NOT NULL,
	"concurrency" integer NOT NULL,
	"rates" jsonb NOT NULL,
	"fixed" boolean DEFAULT false NOT NULL,
	"paused_until" timestamp (3) with time zone,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "server_secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "exports" (
	"binding_id" text PRIMARY KEY NOT NULL,
	"revision_id" text NOT NULL,
	"base_oid" text,
	"outcome" text NOT NULL,
	"branch" text,
	"pull_number" integer,
	"commit_oid" text,
	"error" text,
	"paths" jsonb NOT NULL,
	"same_since" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "external_links" (
	"url" text PRIMARY KEY NOT NULL,
	"state" text DEFAULT 'new' NOT NULL,
	"detail" text,
	"status" integer,
	"target" text,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"failed_since" timestamp (3) with time zone,
	"fragments" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "external_uses" (
	"binding_id" text NOT NULL,
	"url" text NOT NULL,
	"fragment" text NOT NULL,
	"path" text NOT NULL,
	"line" integer NOT NULL,
	CONSTRAINT "external_uses_binding_id_url_fragment_path_line_pk" PRIMARY KEY("binding_id","url","fragment","path","line")
);
--> statement-breakpoint
CREATE TABLE "openapi_sources" (
	"name" text PRIMARY KEY NOT NULL,
	"repository_id" bigint NOT NULL,
	"is_named" boolean DEFAULT true NOT NULL,
	"source" text,
	"files" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"commit_oid" text,
	"pending_oids" text[] DEFAULT '{}' NOT NULL,
	"version_id" text,
	"error" text,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "repository_translations" (
	"repository_id" bigint NOT NULL,
	"directory" text NOT NULL,
	"language" text NOT NULL,
	"is_named" boolean DEFAULT true NOT NULL,
	"organization_id" text NOT NULL,
	"translation_id" text,
	"given" text[] DEFAULT '{}' NOT NULL,
	"glossary_from" text,
	"revision_id" text,
	"error" text,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "repository_translations_repository_id_directory_language_pk" PRIMARY KEY("repository_id","directory","language")
);
--> statement-breakpoint
CREATE TABLE "translation_memory" (
	"translation_id" text NOT NULL,
	"key" text NOT NULL,
	"origin" text NOT NULL,
	"run" integer NOT NULL,
	"batch" integer DEFAULT 0 NOT NULL,
	"refusals" integer DEFAULT 0 NOT NULL,
	"source" text NOT NULL,
	"words" integer DEFAULT 0 NOT NULL,
	"text" text,
	"reason" text,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "translation_memory_translation_id_key_pk" PRIMARY KEY("translation_id","key")
);
--> statement-breakpoint
CREATE TABLE "translations" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"source_space_id" text NOT NULL,
	"source_language" text,
	"language" text NOT NULL,
	"provider" text DEFAULT 'pseudo' NOT NULL,
	"instructions" jsonb,
	"glossary" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"error" text,
	"requested" integer DEFAULT 0 NOT NULL,
	"run" integer DEFAULT 0 NOT NULL,
	"source_revision_id" text,
	"written_from_id" text,
	"result_space_id" text,
	"result_revision_id" text,
	"words_left" integer DEFAULT 0 NOT NULL,
	"runs" integer DEFAULT 0 NOT NULL,
	"total_words" integer DEFAULT 0 NOT NULL,
	"total_pages" integer DEFAULT 0 NOT NULL,
	"total_requests" integer DEFAULT 0 NOT NULL,
	"total_duration" integer DEFAULT 0 NOT NULL,
	"latest_run_duration" integer DEFAULT 0 NOT NULL,
	"latest_pages" integer DEFAULT 0 NOT NULL,
	"latest_words" integer DEFAULT 0 NOT NULL,
	"latest_requests" integer DEFAULT 0 NOT NULL,
	"unanswered" integer DEFAULT 0 NOT NULL,
	"problems" jsonb DEFAULT '{"count":0,"items":[]}'::jsonb NOT NULL,
	"started_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_space_id_spaces_id_fk" FOREIGN KEY ("space_id") REFERENCES "public"."spaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_base_revision_id_revisions_id_fk" FOREIGN KEY ("base_revision_id") REFERENCES "public"."revisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_revision_id_revisions_id_fk" FOREIGN KEY ("revision_id") REFERENCES "public"."revisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_merged_revision_id_revisions_id_fk" FOREIGN KEY ("merged_revision_id") REFERENCES "public"."revisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_merged_by_users_id_fk" FOREIGN KEY ("merged_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_ids" ADD CONSTRAINT "content_ids_space_id_spaces_id_fk" FOREIGN KEY ("space_id") REFERENCES "public"."spaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_history_id_histories_id_fk" FOREIGN KEY ("history_id") REFERENCES "public"."histories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_history_id_histories_id_fk" FOREIGN KEY ("history_id") REFERENCES "public"."histories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "histories" ADD CONSTRAINT "histories_space_id_spaces_id_fk" FOREIGN KEY ("space_id") REFERENCES "public"."spaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "links" ADD CONSTRAINT "links_space_id_spaces_id_fk" FOREIGN KEY ("space_id") REFERENCES "public"."spaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "moved_pages" ADD CONSTRAINT "moved_pages_space_id_spaces_id_fk" FOREIGN KEY ("space_id") REFERENCES "public"."spaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pages" ADD CONSTRAINT "pages_history_id_histories_id_fk" FOREIGN KEY ("history_id") REFERENCES "public"."histories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "revisions" ADD CONSTRAINT "revisions_space_id_spaces_id_fk" FOREIGN KEY ("space_id") REFERENCES "public"."spaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "revisions" ADD CONSTRAINT "revisions_history_id_histories_id_fk" FOREIGN KEY ("history_id") REFERENCES "public"."histories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settings" ADD CONSTRAINT "settings_history_id_histories_id_fk" FOREIGN KEY ("history_id") REFERENCES "public"."histories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_runs" ADD CONSTRAINT "report_runs_report_id_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "openapi_operations" ADD CONSTRAINT "openapi_operations_spec_id_openapi_specs_id_fk" FOREIGN KEY ("spec_id") REFERENCES "public"."openapi_specs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "openapi_specs" ADD CONSTRAINT "openapi_specs_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "openapi_uploads" ADD CONSTRAINT "openapi_uploads_spec_id_openapi_specs_id_fk" FOREIGN KEY ("spec_id") REFERENCES "public"."openapi_specs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "openapi_versions" ADD CONSTRAINT "openapi_versions_spec_id_openapi_specs_id_fk" FOREIGN KEY ("spec_id") REFERENCES "public"."openapi_specs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collections" ADD CONSTRAINT "collections_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collections" ADD CONSTRAINT "collections_parent_id_collections_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."collections"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "git_operations" ADD CONSTRAINT "git_operations_space_id_spaces_id_fk" FOREIGN KEY ("space_id") REFERENCES "public"."spaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spaces" ADD CONSTRAINT "spaces_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spaces" ADD CONSTRAINT "spaces_parent_id_collections_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."collections"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translation_memory" ADD CONSTRAINT "translation_memory_translation_id_translations_id_fk" FOREIGN KEY ("translation_id") REFERENCES "public"."translations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translations" ADD CONSTRAINT "translations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translations" ADD CONSTRAINT "translations_source_space_id_spaces_id_fk" FOREIGN KEY ("source_space_id") REFERENCES "public"."spaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "change_requests_of_space" ON "change_requests" USING btree ("space_id","number");--> statement-breakpoint
CREATE INDEX "entries_by_links" ON "entries" USING btree ("history_id","links_id") WHERE links_id is not null;--> statement-breakpoint
CREATE INDEX "entries_by_page" ON "entries" USING btree ("history_id","page_id") WHERE page_id is not null;--> statement-breakpoint
CREATE INDEX "files_by_path" ON "files" USING btree ("history_id","git_path","id");--> statement-breakpoint
CREATE INDEX "histories_of_space" ON "histories" USING btree ("space_id");--> statement-breakpoint
CREATE INDEX "links_to_page" ON "links" USING btree ("space_id","target_page_id") WHERE target_page_id is not null;--> statement-breakpoint
CREATE INDEX "links_to_file" ON "links" USING btree ("space_id","target_file_id") WHERE target_file_id is not null;--> statement-breakpoint
CREATE INDEX "links_to_spec" ON "links" USING btree ("space_id","target") WHERE target_kind = 'openapi';--> statement-breakpoint
CREATE INDEX "links_to_mend" ON "links" USING btree ("space_id","status","set_id") WHERE status in ('broken', 'in-app');--> statement-breakpoint
CREATE INDEX "pages_by_path" ON "pages" USING btree ("history_id","path");--> statement-breakpoint
CREATE INDEX "pages_below" ON "pages" USING btree ("history_id","parent_id");--> statement-breakpoint
CREATE INDEX "pages_by_sections" ON "pages" USING btree ("history_id","sections_id") WHERE sections_id is not null;--> statement-breakpoint
CREATE INDEX "revisions_of_space" ON "revisions" USING btree ("space_id","created_at","id");--> statement-breakpoint
CREATE INDEX "revisions_by_inputs" ON "revisions" USING btree ("space_id","inputs");--> statement-breakpoint
CREATE UNIQUE INDEX "revisions_of_history" ON "revisions" USING btree ("history_id","version");--> statement-breakpoint
CREATE INDEX "sections_by_words" ON "sections" USING gin ("words");--> statement-breakpoint
CREATE INDEX "github_answers_by_use" ON "github_answers" USING btree ("used_at");--> statement-breakpoint
CREATE UNIQUE INDEX "bindings_place" ON "bindings" USING btree ("repository_id","branch","directory");--> statement-breakpoint
CREATE UNIQUE INDEX "bindings_space" ON "bindings" USING btree ("space_id");--> statement-breakpoint
CREATE INDEX "deliveries_of_repository" ON "deliveries" USING btree ("repository_id","received_at");--> statement-breakpoint
CREATE INDEX "deliveries_by_time" ON "deliveries" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "report_runs_of_report" ON "report_runs" USING btree ("report_id");--> statement-breakpoint
CREATE UNIQUE INDEX "reports_of_head" ON "reports" USING btree ("repository_id","pull_number","head_oid","kind");--> statement-breakpoint
CREATE INDEX "repositories_of_installation" ON "repositories" USING btree ("installation_id","looked_at");--> statement-breakpoint
CREATE INDEX "openapi_operations_by_path" ON "openapi_operations" USING btree ("spec_id","path");--> statement-breakpoint
CREATE UNIQUE INDEX "openapi_specs_by_slug" ON "openapi_specs" USING btree ("organization_id","slug");--> statement-breakpoint
CREATE INDEX "openapi_specs_of_organization" ON "openapi_specs" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "openapi_versions_of_spec" ON "openapi_versions" USING btree ("spec_id","sequence");--> statement-breakpoint
CREATE INDEX "collections_of_organization" ON "collections" USING btree ("organization_id","position","id");--> statement-breakpoint
CREATE INDEX "collections_below" ON "collections" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "git_operations_of_space" ON "git_operations" USING btree ("space_id","sequence");--> statement-breakpoint
CREATE INDEX "git_operations_open" ON "git_operations" USING btree ("space_id","timestamp") WHERE state in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "git_operations_executed" ON "git_operations" USING btree ("space_id","direction","timestamp") WHERE state in ('success', 'failure') and not standalone;--> statement-breakpoint
CREATE UNIQUE INDEX "git_operations_sequence" ON "git_operations" USING btree ("sequence");--> statement-breakpoint
CREATE INDEX "members_of_user" ON "members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "spaces_of_organization" ON "spaces" USING btree ("organization_id","position","id");--> statement-breakpoint
CREATE INDEX "spaces_of_collection" ON "spaces" USING btree ("parent_id","position","id");--> statement-breakpoint
CREATE INDEX "spaces_deleted" ON "spaces" USING btree ("deleted_at") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "lane_runs_of_lane" ON "lane_runs" USING btree ("lane","ended_at");--> statement-breakpoint
CREATE INDEX "lane_runs_of_share" ON "lane_runs" USING btree ("lane","share","started_at");--> statement-breakpoint
CREATE INDEX "external_links_checked" ON "external_links" USING btree ("checked_at");--> statement-breakpoint
CREATE INDEX "external_uses_of_url" ON "external_uses" USING btree ("url");--> statement-breakpoint
CREATE INDEX "translation_memory_wanted" ON "translation_memory" USING btree ("translation_id","batch") WHERE origin = 'wanted';--> statement-breakpoint
CREATE INDEX "translations_of_organization" ON "translations" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "translations_of_space" ON "translations" USING btree ("source_space_id");--> statement-breakpoint
CREATE INDEX "translations_to_space" ON "translations" USING btree ("result_space_id");