import { rewriteDestinations } from '../../content/fix/index.ts';
import type { ReadBlobs, TreeEntry } from '../../content/index.ts';
import type { Finding } from '../../content/report.ts';

/** A file with its destinations put right, and nothing else changed. */
export interface FixedFile {
  readonly path: string;
  readonly mode: TreeEntry['mode'];
  readonly before: string;
  readonly after: string;
  readonly bytes: Uint8Array;
  readonly fixed: readonly SuggestedFinding[];
}

export type SuggestedFinding = Finding & { readonly suggestion: string };

const BYTE_ORDER_MARK = '\u{feff}';

/** Writes the suggestions into the files of the head. What is not surely found at its place stays as it is. */
export async function fixFiles(
  findings: readonly Finding[],
  tree: readonly TreeEntry[],
  read: ReadBlobs,
): Promise<readonly FixedFile[]> {
  const wanted = Map.groupBy(
    findings.filter((one): one is SuggestedFinding => one.suggestion !== null),
    ({ file }) => file,
  );
  const entries = tree.filter(
    ({ path, mode }) => wanted.has(path) && (mode === 'file' || mode === 'executable'),
  );
  const texts = new Map<string, string>();
  for await (const { oid, bytes } of read(entries)) {
    const text = decode(bytes);
    if (text !== null) texts.set(oid, text);
  }
  return entries.flatMap(({ path, mode, oid }) => {
    const text = texts.get(oid);
    if (text === undefined) return [];
    const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
    const edits = (wanted.get(path) ?? []).map((one) => ({ ...one, to: one.suggestion }));
    const { source, applied } = rewriteDestinations(text.slice(mark.length), edits);
    if (applied.length === 0) return [];
    const after = `${mark}${source}`;
    return [{ path, mode, before: text, after, bytes: new TextEncoder().encode(after), fixed: applied }];
  });
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
