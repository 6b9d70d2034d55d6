import { MAX_SOURCE_BYTES, type Source } from '../../contract/index.ts';
import type { EntryRow } from '../../store/index.ts';
import { notFound } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';
import { createStoredReader } from '../revisions/read-stored.ts';
import type { EditedContent } from './locate-edited.ts';

/** The text of a file as it is in the repository, or why it cannot be edited as text. */
export async function readSource(
  deps: PlatformDeps,
  { space, revision, rows }: EditedContent,
  path: string,
): Promise<Source> {
  const entry = rows.entries.get(path);
  if (entry === undefined) throw notFound('file with this path in this content');
  const page = entry.pageId === null ? undefined : rows.pages.get(entry.pageId);
  return {
    object: 'source',
    path,
    revision: revision.id,
    oid: entry.oid,
    ...(await readText(deps, space.id, entry)),
    ...(page === undefined ? {} : { page: { id: page.id, title: page.title } }),
  };
}

async function readText(
  deps: PlatformDeps,
  spaceId: string,
  { path, oid, mode, size }: EntryRow,
): Promise<Pick<Source, 'text' | 'problem'>> {
  if (mode === 'symlink') return { problem: `${path} is a symbolic link. Edit the file that it leads to.` };
  if (mode === 'submodule') return { problem: `${path} is a submodule, which is another repository.` };
  const tooLarge = `${path} is larger than ${MAX_SOURCE_BYTES / 1024} KB. Change it in the repository.`;
  if (size !== null && size > MAX_SOURCE_BYTES) return { problem: tooLarge };
  for await (const { bytes } of createStoredReader(deps, spaceId)([oid])) {
    if (bytes.length > MAX_SOURCE_BYTES) return { problem: tooLarge };
    const text = decodeExactly(bytes);
    return text === null ? { problem: `${path} is not a text in UTF-8. Upload it as a file.` } : { text };
  }
  return { problem: `The text of ${path} is not stored here. Change it in the repository.` };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Null for bytes that a text would not give back as they are. */
function decodeExactly(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
