import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Role } from '../../../src/contract/index.ts';
import { effectiveRoleAt } from '../../../src/platform/access/effective-role.ts';
import type { EffectiveRole } from '../../../src/platform/access/roles.ts';

interface Row {
  readonly name: string;
  readonly member: EffectiveRole;
  readonly limit?: Role;
  readonly visibility: string;
  readonly levels: readonly (string | null)[];
  readonly effectiveRole: EffectiveRole;
}

const table = new URL('../../../fixtures/platform/effective-role.yaml', import.meta.url);

it.each(parse(readFileSync(table, 'utf8')) as Row[])('$name', (row) => {
  const { member, limit = null, visibility, levels, effectiveRole } = row;
  expect(effectiveRoleAt({ member, limit }, { visibility, levels })).toBe(effectiveRole);
});
