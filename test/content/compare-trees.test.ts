import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { compareTrees } from '../../src/content/compare/index.ts';
import {
  createEngine,
  detectRenames,
  detectSpaces,
  type Link,
  type ReadBlobs,
} from '../../src/content/index.ts';
import { treeOf } from './analysis-of.ts';

type Files = Readonly<Record<string, string>>;

interface TakenAwayCase {
  readonly name: string;
  readonly base: Files;
  /** Path → new text; null for a removed file. */
  readonly change: Readonly<Record<string, string | null>>;
  readonly introduced?: readonly string[];
  readonly unjudged?: number;
}

const cases: readonly TakenAwayCase[] = parse(
  readFileSync(new URL('../../fixtures/content/changes/taken-away.yaml', import.meta.url), 'utf8'),
  { merge: true },
);

async function sideOf(files: Files) {
  const { tree, blobs } = treeOf({ files });
  const read: ReadBlobs = async function* (entries) {
    for (const { oid } of entries) yield { oid, bytes: new TextEncoder().encode(blobs.get(oid)) };
  };
  return { tree, read, spaces: await detectSpaces({ tree, read }), ignore: [] };
}

async function compare(base: Files, change: TakenAwayCase['change'], cachesVerdicts: boolean) {
  const changed = Object.entries({ ...base, ...change });
  const head = Object.fromEntries(changed.filter((file): file is [string, string] => file[1] !== null));
  const [older, newer] = [await sideOf(base), await sideOf(head)];
  return await compareTrees(createEngine({ cachesVerdicts }), {
    base: older,
    head: newer,
    renames: detectRenames(older.tree, newer.tree),
    repository: null,
    comments: { commentsIn: () => () => undefined },
    today: '2030-01-01',
    findsLostAddresses: false,
  });
}

const describeLinks = (links: readonly Link[]) =>
  links
    .map(({ file, target, rule, suggestion }) => {
      const hint = suggestion === null ? '' : ` -> ${suggestion}`;
      return `${file}: ${target} ${rule}${hint}`;
    })
    .sort();

describe.each([
  ['with a cache', true],
  ['without a cache', false],
])('links that a change breaks where pages may be generated, %s', (_name, cachesVerdicts) => {
  it.each(cases.map((row) => [row.name, row] as const))('%s', async (_case, row) => {
    const compared = await compare(row.base, row.change, cachesVerdicts);
    expect(describeLinks(compared.introduced)).toEqual([...(row.introduced ?? [])].sort());
    expect(compared.unjudged.count).toBe(row.unjudged ?? 0);
    expect(compared.unjudged.example === null).toBe((row.unjudged ?? 0) === 0);
    expect(compared.existing).toEqual([]);
  });
});
