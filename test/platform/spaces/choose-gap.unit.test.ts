import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ApiError } from '../../../src/platform/api/api-error.ts';
import { chooseGap } from '../../../src/platform/spaces/choose-gap.ts';
import type { Sibling } from '../../../src/store/positions.ts';

interface Row {
  readonly name: string;
  readonly siblings: readonly string[];
  readonly self: string;
  readonly before?: string;
  readonly after?: string;
  readonly between?: readonly [string | null, string | null];
  readonly error?: number;
}

const table = new URL('../../../fixtures/platform/places.yaml', import.meta.url);

it.each(parse(readFileSync(table, 'utf8')) as Row[])('$name', (row) => {
  const siblings = row.siblings.map(readSibling);
  const self = { id: row.self, isThere: siblings.some((one) => one.id === row.self) };
  const position = {
    ...(row.before === undefined ? {} : { before: nameOf(readSibling(row.before)) }),
    ...(row.after === undefined ? {} : { after: nameOf(readSibling(row.after)) }),
  };
  if (row.error !== undefined) {
    expect(statusOf(() => chooseGap(siblings, self, position))).toBe(row.error);
    return;
  }
  const { before, after } = chooseGap(siblings, self, position);
  expect([before, after]).toEqual(row.between);
});

function readSibling(text: string): Sibling {
  const id = text.replace(/^[-/]/, '');
  return {
    id,
    position: id,
    type: text.startsWith('/') ? 'collection' : 'space',
    isDeleted: text.startsWith('-'),
  };
}

function nameOf({ type, id }: Sibling) {
  return type === 'space' ? { type, space: id } : { type, collection: id };
}

function statusOf(run: () => unknown): number | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
  return undefined;
}
