import type { EffectiveRole } from '../access/roles.ts';

/** The role in the organization that each right in its conversations requires: what customers wrote is for those who write docs. */
export const conversationRights = { view: 'edit', draft: 'edit' } as const satisfies Record<
  string,
  EffectiveRole
>;
