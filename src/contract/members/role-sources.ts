/**
 * Where an effective role can come from, each with the sentence that describes it: the rule about who may do what. The
 * highest of them counts. `docs/people.md` prints this list; `listRoleSources` of the platform decides by it.
 */
export const roleSources = {
  member: 'The role of the member in the organization. A guest has none.',
  grant:
    'What the member, or one of their teams, was granted: in the organization, in the space or site itself, or in a collection above it.',
  'default-level':
    'For members and guests, the `defaultLevel` of the space or collection; where it inherits, that of the nearest collection above that has one.',
  'in-collection':
    'For members and guests, `read` in a space with the visibility `in-collection`, if the default level of a collection above lets them in.',
  visibility:
    'For everybody with a token, reading what a `public` or `unlisted` space shows: its content, links and search, but neither drafts nor history; and of a published `public` or `unlisted` site its structure and look, but not its settings. This is the role `visitor`.',
} as const;
export type RoleSourceType = keyof typeof roleSources;

/** What keeps an effective role lower than its sources. */
export const roleCaps = {
  disabled: 'The member is disabled: only `visibility` counts, as for a stranger.',
  sso: 'The organization, or the member, takes only single sign-on: with credentials that have not passed it, only `visibility` counts. What they would see answers 403 with the reason `sso-required`.',
  token: 'A token allows at most the role that it was created with.',
} as const;
export type RoleCapType = keyof typeof roleCaps;

/** The rule as Markdown, for `docs/people.md`; a test compares the page with it. */
export function listRoleRule(): string {
  const list = (rows: Readonly<Record<string, string>>) =>
    Object.entries(rows).map(([type, text]) => `- \`${type}\`: ${text}`);
  return [
    'What somebody may do in an organization, a space, a collection or a site is the **highest** of these roles:',
    '',
    ...list(roleSources),
    '',
    'and no more than these allow:',
    '',
    ...list(roleCaps),
  ].join('\n');
}
