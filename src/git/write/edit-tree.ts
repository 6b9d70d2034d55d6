import type { HashName } from '../object-oid.ts';
import { type ObjectReader, parseTree, type RawObject, type RawTreeEntry, readObject } from '../objects.ts';
import type { GitFileChange, GitTreeEntry } from '../repository.ts';
import { compareEntries } from '../walk-tree.ts';
import { toObject } from './git-object.ts';

const modes: Readonly<Record<GitTreeEntry['mode'], string>> = {
  file: '100644',
  executable: '100755',
  symlink: '120000',
  submodule: '160000',
};

/** The changes of one folder: of its own files, and of the folders below. */
interface FolderChanges {
  readonly files: Map<string, GitFileChange>;
  readonly folders: Map<string, FolderChanges>;
}

export interface EditedTree {
  readonly oid: string;
  /** Trees that are new; those without changes are reused as they are, whatever they contain. */
  readonly objects: readonly RawObject[];
}

/**
 * Applies changes to a tree. Entries that no change names stay byte for byte: names that are not UTF-8, historical
 * modes, and their order. A folder that loses its last entry is removed.
 */
export async function editTree(
  reader: ObjectReader,
  root: string | null,
  changes: readonly GitFileChange[],
  hash: HashName,
): Promise<EditedTree> {
  const objects: RawObject[] = [];
  const edit = async (oid: string | null, changed: FolderChanges): Promise<string | null> => {
    const entries = oid === null ? [] : [...parseTree(await readObject(reader, oid))];
    for (const [name, below] of changed.folders) {
      const at = entries.findIndex((entry) => isNamed(entry, name));
      const known = entries[at];
      const folder = await edit(known && isFolder(known) ? known.oid : null, below);
      if (known && (folder !== null || isFolder(known))) entries.splice(at, 1);
      if (folder !== null)
        entries.push({
          mode: known && isFolder(known) ? known.mode : '40000',
          name: Buffer.from(name),
          oid: folder,
        });
    }
    for (const [name, { file }] of changed.files) {
      const at = entries.findIndex((entry) => isNamed(entry, name));
      const known = entries[at];
      if (known) entries.splice(at, 1);
      if (file) entries.push({ mode: modeOf(file.mode, known), name: Buffer.from(name), oid: file.oid });
    }
    if (entries.length === 0) return null;
    const tree = toObject('tree', writeEntries(entries.sort(compareEntries)), hash);
    if (tree.oid !== oid) objects.push(tree);
    return tree.oid;
  };
  const oid = await edit(root, toFolders(changes));
  if (oid !== null) return { oid, objects };
  const empty = toObject('tree', Buffer.alloc(0), hash);
  return { oid: empty.oid, objects: [empty] };
}

/** The mode of an ordinary file does not change, because old repositories have 100664. */
function modeOf(mode: GitTreeEntry['mode'], known: RawTreeEntry | undefined): string {
  return mode === 'file' && known?.mode === '100664' ? known.mode : modes[mode];
}

function toFolders(changes: readonly GitFileChange[]): FolderChanges {
  const root: FolderChanges = { files: new Map(), folders: new Map() };
  for (const change of changes) {
    const segments = change.path.split('/');
    const name = segments.pop() ?? '';
    let folder = root;
    for (const segment of segments) {
      const below = folder.folders.get(segment) ?? { files: new Map(), folders: new Map() };
      folder.folders.set(segment, below);
      folder = below;
    }
    folder.files.set(name, change);
  }
  return root;
}

const isFolder = ({ mode }: RawTreeEntry) => mode === '40000' || mode === '040000';

function isNamed(entry: RawTreeEntry, name: string): boolean {
  return entry.name.equals(Buffer.from(name));
}

function writeEntries(entries: readonly RawTreeEntry[]): Buffer {
  return Buffer.concat(
    entries.flatMap(({ mode, name, oid }) => [
      Buffer.from(`${mode} `),
      name,
      Buffer.from([0]),
      Buffer.from(oid, 'hex'),
    ]),
  );
}
