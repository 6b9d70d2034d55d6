CREATE TABLE "change_request_edits" (
	"change_request_id" text NOT NULL,
	"user_id" text NOT NULL,
	"count" integer NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "change_request_edits_change_request_id_user_id_pk" PRIMARY KEY("change_request_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "change_request_reviews" (
	"id" text PRIMARY KEY NOT NULL,
	"change_request_id" text NOT NULL,
	"reviewer_id" text NOT NULL,
	"requested_by" text,
	"status" text NOT NULL,
	"revision_id" text NOT NULL,
	"holds_for" text NOT NULL,
	"superseded" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "requested_reviewers" (
	"id" text PRIMARY KEY NOT NULL,
	"change_request_id" text NOT NULL,
	"user_id" text,
	"team_id" text,
	"requested_by" text,
	"revision_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "requested_reviewers_once" UNIQUE NULLS NOT DISTINCT("change_request_id","user_id","team_id")
);
--> statement-breakpoint
ALTER TABLE "change_requests" ADD COLUMN "description" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "change_request_edits" ADD CONSTRAINT "change_request_edits_change_request_id_change_requests_id_fk" FOREIGN KEY ("change_request_id") REFERENCES "public"."change_requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_request_edits" ADD CONSTRAINT "change_request_edits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_request_reviews" ADD CONSTRAINT "change_request_reviews_change_request_id_change_requests_id_fk" FOREIGN KEY ("change_request_id") REFERENCES "public"."change_requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_request_reviews" ADD CONSTRAINT "change_request_reviews_reviewer_id_users_id_fk" FOREIGN KEY ("reviewer_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_request_reviews" ADD CONSTRAINT "change_request_reviews_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requested_reviewers" ADD CONSTRAINT "requested_reviewers_change_request_id_change_requests_id_fk" FOREIGN KEY ("change_request_id") REFERENCES "public"."change_requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requested_reviewers" ADD CONSTRAINT "requested_reviewers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requested_reviewers" ADD CONSTRAINT "requested_reviewers_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requested_reviewers" ADD CONSTRAINT "requested_reviewers_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "change_request_reviews_of_request" ON "change_request_reviews" USING btree ("change_request_id","created_at","id");--> statement-breakpoint
CREATE INDEX "change_request_reviews_of_user" ON "change_request_reviews" USING btree ("reviewer_id");--> statement-breakpoint
CREATE INDEX "requested_reviewers_of_user" ON "requested_reviewers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "requested_reviewers_of_team" ON "requested_reviewers" USING btree ("team_id");--> statement-breakpoint
CREATE INDEX "change_requests_by_update" ON "change_requests" USING btree ("space_id","updated_at","id");