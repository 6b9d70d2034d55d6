CREATE TABLE "pull_change_requests" (
	"repository_id" bigint NOT NULL,
	"pull_number" integer NOT NULL,
	"space_id" text NOT NULL,
	"change_request_id" text NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"error" text,
	CONSTRAINT "pull_change_requests_pull" PRIMARY KEY("repository_id","pull_number","change_request_id")
);
--> statement-breakpoint
CREATE TABLE "mirrored_comments" (
	"repository_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"remote_id" bigint NOT NULL,
	"pull_number" integer NOT NULL,
	"change_request_id" text NOT NULL,
	"comment_id" text NOT NULL,
	"reply_id" text DEFAULT '' NOT NULL,
	"origin" text NOT NULL,
	"digest" text NOT NULL,
	"gone_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mirrored_comments_repository_id_kind_remote_id_pk" PRIMARY KEY("repository_id","kind","remote_id")
);
--> statement-breakpoint
ALTER TABLE "mirrored_comments" ADD CONSTRAINT "mirrored_comments_pull" FOREIGN KEY ("repository_id","pull_number","change_request_id") REFERENCES "public"."pull_change_requests"("repository_id","pull_number","change_request_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "mirrored_comments_once" ON "mirrored_comments" USING btree ("comment_id","reply_id");--> statement-breakpoint
CREATE INDEX "mirrored_comments_of_pull" ON "mirrored_comments" USING btree ("repository_id","pull_number","change_request_id");--> statement-breakpoint
CREATE INDEX "pull_change_requests_of_change_request" ON "pull_change_requests" USING btree ("change_request_id");--> statement-breakpoint
CREATE INDEX "pull_change_requests_by_age" ON "pull_change_requests" USING btree ("seen_at");--> statement-breakpoint
ALTER TABLE "comments" ADD COLUMN "mirror_url" text;--> statement-breakpoint
ALTER TABLE "comments" ADD COLUMN "mirror_author" text;--> statement-breakpoint
CREATE UNIQUE INDEX "comments_from_elsewhere" ON "comments" USING btree ("space_id","mirror_url") WHERE mirror_author is not null;--> statement-breakpoint
ALTER TABLE "comment_replies" ADD COLUMN "mirror_url" text;--> statement-breakpoint
ALTER TABLE "comment_replies" ADD COLUMN "mirror_author" text;--> statement-breakpoint
CREATE UNIQUE INDEX "replies_from_elsewhere" ON "comment_replies" USING btree ("comment_id","mirror_url") WHERE mirror_author is not null;