/**
 * By which column a PostgreSQL of several nodes, such as Citus, would divide each table. `docs/scale.md` tells why, and
 * `distribution.test.ts` proves it on the tables themselves.
 */
export type Distribution =
  /** By the organization, so that all rows of one are on one node and statements about it stay there. */
  | 'organization'
  /** By what the bytes are: the same on every node that asks, and shared by organizations. */
  | 'oid'
  /** A copy on every node: small, and read with everything. */
  | 'reference'
  /** On one node: what coordinates the processes, and the App's own rows, which are small. */
  | 'local';

export const DISTRIBUTION: Readonly<Record<string, Distribution>> = {
  // Content: these grow with the repositories.
  spaces: 'organization',
  histories: 'organization',
  revisions: 'organization',
  entries: 'organization',
  pages: 'organization',
  files: 'organization',
  settings: 'organization',
  links: 'organization',
  content_ids: 'organization',
  moved_pages: 'organization',
  space_blobs: 'organization',
  git_operations: 'organization',
  change_requests: 'organization',
  change_request_edits: 'organization',
  change_request_reviews: 'organization',
  requested_reviewers: 'organization',
  comments: 'organization',
  comment_replies: 'organization',
  comment_reactions: 'organization',
  commented_pages: 'organization',
  collections: 'organization',
  translations: 'organization',
  translation_memory: 'organization',
  openapi_specs: 'organization',
  openapi_operations: 'organization',
  openapi_versions: 'organization',
  openapi_uploads: 'organization',
  conversations: 'organization',
  conversation_issues: 'organization',
  issue_clusters: 'organization',
  site_feedback: 'organization',
  site_previews: 'organization',
  site_redirects: 'organization',
  site_section_groups: 'organization',
  site_sections: 'organization',
  site_spaces: 'organization',
  site_visitor_keys: 'organization',
  notifications: 'organization',
  audit_events: 'organization',
  agent_instructions: 'organization',
  // Bytes and what is derived from bytes alone.
  texts: 'oid',
  blob_uses: 'oid',
  sections: 'oid',
  // Who somebody is, and what is found by an address: unique over all organizations.
  organizations: 'reference',
  users: 'reference',
  members: 'reference',
  teams: 'reference',
  team_members: 'reference',
  grants: 'reference',
  provisioned: 'reference',
  sites: 'reference',
  identity_providers: 'reference',
  email_domains: 'reference',
  user_identities: 'reference',
  passwords: 'reference',
  api_tokens: 'reference',
  sessions: 'reference',
  invites: 'reference',
  recovery_codes: 'reference',
  sign_in_links: 'reference',
  sign_in_requests: 'reference',
  sign_in_failures: 'reference',
  used_assertions: 'reference',
  site_share_links: 'reference',
  known_words: 'reference',
};

/** All other tables are `local`. */
export function distributionOf(table: string): Distribution {
  return DISTRIBUTION[table] ?? 'local';
}
