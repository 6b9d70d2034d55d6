CREATE INDEX "comments_open_by_space" ON "comments" USING btree ("space_id") WHERE in_space and resolved_at is null;--> statement-breakpoint
CREATE INDEX "change_requests_by_status" ON "change_requests" USING btree ("space_id","status","updated_at","id");--> statement-breakpoint
CREATE INDEX "members_by_joining" ON "members" USING btree ("organization_id","joined_at","user_id");--> statement-breakpoint
CREATE INDEX "spaces_by_access" ON "spaces" USING btree ("organization_id","parent_id","visibility","default_level") WHERE deleted_at is null;