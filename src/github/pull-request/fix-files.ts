import { rewriteDestinations } from '../../content/fix/index.ts';
import type { ReadBlobs, TreeEntry } from '../../content/index.ts';
import type { CheckedLinkReport, ReportedLink } from '../../content/report/index.ts';
import { firstOfEachFile } from '../../content/text/index.ts';
import { decodeUtf8 } from '../api/index.ts';

/** A file in which only link destinations were fixed and redirects written. */
export interface FixedFile {
  readonly path: string;
  readonly mode: TreeEntry['mode'];
  readonly before: string;
  readonly after: string;
  readonly bytes: Uint8Array;
  readonly fixed: readonly SuggestedFinding[];
  /** How many redirects were written. */
  readonly redirects: number;
}

export type SuggestedFinding = ReportedLink & { readonly suggestion: string };

const BYTE_ORDER_MARK = '\u{feff}';

/** Applies a report's suggestions to the files of its head. Links that are not exactly at their position are left unchanged. */
export async function fixFiles(
  { introduced, redirects = [] }: Pick<CheckedLinkReport, 'introduced' | 'redirects'>,
  tree: readonly TreeEntry[],
  read: ReadBlobs,
): Promise<readonly FixedFile[]> {
  const wanted = Map.groupBy(
    introduced.filter((finding): finding is SuggestedFinding => finding.suggestion !== null),
    ({ file }) => file,
  );
  const redirectOf = firstOfEachFile(redirects);
  const entries = tree.filter(
    ({ path, mode }) =>
      (wanted.has(path) || redirectOf.has(path)) && (mode === 'file' || mode === 'executable'),
  );
  const texts = new Map<string, string>();
  for await (const { oid, bytes } of read(entries)) {
    const text = decodeUtf8(bytes);
    if (text !== null) texts.set(oid, text);
  }
  const changed = entries.flatMap(({ path, mode, oid }) => {
    const text = texts.get(oid);
    if (text === undefined) return [];
    const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
    const edits = (wanted.get(path) ?? []).map((finding) => ({ ...finding, to: finding.suggestion }));
    const proposed = redirectOf.get(path);
    const redirect = proposed?.isNew ? undefined : proposed;
    const redirectEdits = redirect === undefined ? [] : [redirect];
    const { source, applied } = rewriteDestinations(text.slice(mark.length), edits, redirectEdits);
    if (applied.length + redirectEdits.length === 0) return [];
    return [{ path, mode, before: text, after: `${mark}${source}`, fixed: applied, redirect }];
  });
  const existing = new Set(tree.map(({ path }) => path));
  const added = [...redirectOf.values()]
    .filter(({ file, isNew }) => isNew && !existing.has(file))
    .map((redirect) => {
      const { file: path, text: after } = redirect;
      return { path, mode: 'file' as const, before: '', after, fixed: [], redirect };
    });
  return [...changed, ...added].map(({ redirect, ...file }) => ({
    ...file,
    bytes: new TextEncoder().encode(file.after),
    redirects: redirect?.count ?? 0,
  }));
}
