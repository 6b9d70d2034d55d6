CREATE TABLE "organization_model_usage" (
	"day" date NOT NULL,
	"organization_id" text NOT NULL,
	"purpose" text NOT NULL,
	"tokens" bigint NOT NULL,
	"calls" integer NOT NULL,
	CONSTRAINT "organization_model_usage_day_organization_id_purpose_pk" PRIMARY KEY("day","organization_id","purpose")
);
--> statement-breakpoint
ALTER TABLE "translations" ADD COLUMN "run_for_person" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "organization_model_usage" ADD CONSTRAINT "organization_model_usage_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;