CREATE TABLE "known_words" (
	"word" text PRIMARY KEY NOT NULL,
	"checked_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "known_words_by_check" ON "known_words" USING btree ("checked_at");