import { createHash } from 'node:crypto';
import type { AnchorBlock } from '../../content/anchors/index.ts';
import type { PageRow, SpaceRow } from '../../store/index.ts';
import { contentThreads, PageLimitError } from '../../threads/index.ts';
import { readBody } from '../content/read-body.ts';
import type { PlatformDeps } from '../deps.ts';
import { computedSpec } from '../openapi/write-computed.ts';

/** Raised when blocks are told apart, or nodes are numbered, in another way. */
const ANCHORS_VERSION = 1;

/** The blocks of a page, and in which of them each of its nodes stands. */
export interface PageBlocks {
  readonly blocks: readonly AnchorBlock[];
  readonly enclosing: ReadonlyMap<string, string>;
}

/** Whether the text of a page is generated: its nodes change with what it is generated from, so nothing stands on them. */
export function isGenerated(row: PageRow): boolean {
  return computedSpec(row) !== null;
}

/** Identifies what the blocks of a page are made from. */
export function blocksVersionOf({ gitOid, gitPath, dialect, settings }: PageRow): string {
  const inputs = JSON.stringify([ANCHORS_VERSION, gitOid, gitPath, dialect, settings?.parts ?? []]);
  return createHash('sha256').update(inputs).digest('base64url').slice(0, 24);
}

/** Reads the blocks of a page; null where its text is not stored, too large, or generated. */
export async function readPageBlocks(
  deps: PlatformDeps,
  space: SpaceRow,
  row: PageRow,
): Promise<PageBlocks | null> {
  if (row.gitOid === null || isGenerated(row)) return null;
  const body = await readBody(deps, { space, organizationRole: 'none' }, { row, computed: true });
  if (body === null) return null;
  try {
    const page = { markdown: body.markdown, dialect: row.dialect ?? '', references: new Map() };
    const { blocks, nodes } = await contentThreads.readBlocks(page, { hasNodes: true });
    return { blocks, enclosing: new Map(nodes) };
  } catch (error) {
    if (error instanceof PageLimitError) return null;
    throw error;
  }
}
