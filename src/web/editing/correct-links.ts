import { operations, type PlatformClient, type Source } from '../../client/index.ts';
import { applyEdits } from '../../content/text/index.ts';
import { findSource } from './save-text.ts';

/** Files that one change request mends; the rest is mended by the next one. */
const MAX_FILES = 50;
/** Their text together, in UTF-16 code units: less than the body of one call may have. */
const MAX_TEXT = 400_000;
const LINKS_READ = 200;

/** Files with broken links led to what was suggested for them. */
export interface CorrectedLinks {
  readonly links: number;
  readonly files: readonly { readonly path: string; readonly text: string; readonly expected: string }[];
}

/**
 * Corrects the broken links of the live content for which there is a suggestion, as far as a change request takes them.
 * Nothing is stored.
 *
 * @param only the file whose links are meant; null for all
 */
export async function correctLinks(
  client: PlatformClient,
  spaceId: string,
  only: string | null,
): Promise<CorrectedLinks> {
  const files: CorrectedLinks['files'][number][] = [];
  let links = 0;
  let length = 0;
  for (const path of only === null ? await listFixable(client, spaceId) : [only]) {
    const source = await findSource(client, spaceId, { path });
    if (source?.text === undefined) continue;
    const fixed = await fixFile(client, spaceId, { ...source, text: source.text });
    if (fixed.links === 0) continue;
    length += fixed.text.length;
    if (length > MAX_TEXT && files.length > 0) break;
    links += fixed.links;
    files.push({ path, text: fixed.text, expected: source.oid });
    if (files.length >= MAX_FILES) break;
  }
  return { links, files };
}

/** The files that have broken links with suggestions, in the order of the list of links. */
async function listFixable(client: PlatformClient, spaceId: string): Promise<readonly string[]> {
  const paths = new Set<string>();
  let page: string | undefined;
  do {
    const { items, next } = await client.call(operations.listLinks, {
      params: { spaceId },
      query: { status: 'broken', limit: LINKS_READ, ...(page === undefined ? {} : { page }) },
    });
    for (const { check, locationReferences } of items) {
      const path = locationReferences[0]?.position?.path;
      if (check.suggestion !== undefined && path !== undefined) paths.add(path);
    }
    page = next?.page;
  } while (page !== undefined && paths.size < MAX_FILES);
  return [...paths].slice(0, MAX_FILES);
}

async function fixFile(
  client: PlatformClient,
  spaceId: string,
  { path, text }: Source & { readonly text: string },
): Promise<{ readonly text: string; readonly links: number }> {
  const { references } = await client.call(operations.checkText, {
    params: { spaceId },
    body: { path, text, view: false },
  });
  const fixable = references.filter(({ verdict, fix }) => verdict === 'broken' && fix !== undefined);
  const edits = fixable.flatMap(({ fix = [] }) => fix);
  return {
    text: applyEdits(
      text,
      edits.map(({ from, to, insert }) => ({ start: from, end: to, text: insert })),
    ),
    links: fixable.length,
  };
}
