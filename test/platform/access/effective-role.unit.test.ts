import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Role, roleSources } from '../../../src/contract/index.ts';
import { effectiveRoleAt, listRoleSources } from '../../../src/platform/access/effective-role.ts';
import type { EffectiveRole } from '../../../src/platform/access/roles.ts';

interface Row {
  readonly name: string;
  readonly member: EffectiveRole;
  readonly limit?: Role;
  readonly visibility: string;
  readonly levels: readonly (string | null)[];
  /** Roles that were granted in the organization, and in the space or a collection above it. */
  readonly everywhere?: readonly string[];
  readonly granted?: readonly string[];
  readonly effectiveRole: EffectiveRole;
}

const table = new URL('../../../fixtures/platform/effective-role.yaml', import.meta.url);
const toGrant = (role: string) => ({ role, teamId: null, spaceId: null, collectionId: null, siteId: null });

it.each(parse(readFileSync(table, 'utf8')) as Row[])('$name', (row) => {
  const { member, limit = null, visibility, levels, effectiveRole } = row;
  const [defaultLevel = null, ...above] = levels;
  const collections = above.map((level, index) => ({
    id: `c${index}`,
    parentId: null,
    defaultLevel: level,
  }));
  const membership = {
    userId: 'u',
    member,
    granted: { everywhere: (row.everywhere ?? []).map(toGrant), somewhere: row.granted !== undefined },
    limit,
  };
  const sharing = {
    space: { id: 's', visibility, defaultLevel },
    collections,
    grants: (row.granted ?? []).map(toGrant),
  };
  expect(effectiveRoleAt(membership, sharing)).toBe(effectiveRole);
  const types = Object.keys(roleSources);
  const order = listRoleSources(membership, sharing).map(({ type }) => types.indexOf(type));
  expect(order, 'in the order of the documentation').toEqual(order.toSorted((a, b) => a - b));
});
