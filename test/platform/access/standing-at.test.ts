import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Role, Standing } from '../../../src/platform/access/roles.ts';
import { standingAt } from '../../../src/platform/access/standing-at.ts';

interface Row {
  readonly name: string;
  readonly member: Standing;
  readonly limit?: Role;
  readonly visibility: string;
  readonly levels: readonly (string | null)[];
  readonly standing: Standing;
}

const table = new URL('../../../fixtures/platform/standing.yaml', import.meta.url);

it.each(parse(readFileSync(table, 'utf8')) as Row[])('$name', (row) => {
  const { member, limit = null, visibility, levels, standing } = row;
  expect(standingAt({ member, limit }, { visibility, levels })).toBe(standing);
});
