import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Names that several files may export, by what makes it right. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  'the operations of an area, and their table': ['gitOperations', 'openapiOperations'],
};

const DECLARATION =
  /^export (?:async )?(?:declare )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;

/** Files by the names that they declare and export. */
function declarations(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const entry of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.ts')) continue;
    for (const [, name = ''] of readFileSync(join('src', entry), 'utf8').matchAll(DECLARATION)) {
      const files = found.get(name) ?? new Set();
      found.set(name, files.add(`src/${entry}`));
    }
  }
  return found;
}

const shared = new Map([...declarations()].filter(([, files]) => files.size > 1));
const allowed = Object.values(SHARED).flat();

test('an exported name has one meaning', () => {
  const colliding = [...shared]
    .filter(([name]) => !allowed.includes(name))
    .map(([name, files]) => `${name}: ${[...files].join(', ')}`);
  expect(colliding, 'Give each of them a name of its own.').toEqual([]);
});

test('every name that may be declared twice is', () => {
  const stale = allowed.filter((name) => !shared.has(name));
  expect(stale, 'Remove them from the list of shared names.').toEqual([]);
});
