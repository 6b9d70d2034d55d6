import type { TreeEntry } from '../../content/index.ts';
import type { ContentChange } from '../../contract/index.ts';
import { entryNameProblem, type HashName, hashOf, objectOid, windowsNameProblem } from '../../git/index.ts';
import { ApiError, invalid } from '../api/api-error.ts';

export interface ChangedTree {
  readonly tree: ReadonlyMap<string, TreeEntry>;
  /** The bytes of new and changed files, by oid. */
  readonly fresh: ReadonlyMap<string, Uint8Array>;
}

/** Applies changes to a tree in their order. Throws a 400 or 409 that names the change that cannot be made. */
export function applyContentChanges(
  before: ReadonlyMap<string, TreeEntry>,
  changes: readonly ContentChange[],
  options: {
    /** The folder of the space; nothing outside it is changed. */
    readonly directory: string;
    /** The file of a page; undefined if there is no such page, or it has no file. */
    readonly fileOfPage: (id: string) => string | undefined;
    /** Resolves a path that is a symbolic link to a file of the repository; returns any other path as it is. */
    readonly fileAt?: (path: string) => string;
  },
): ChangedTree {
  const { fileAt = (path) => path } = options;
  const edit = new TreeEdit(before, options.directory);
  changes.forEach((change, index) => {
    const at = `/body/changes/${index}`;
    if ('expected' in change && change.expected !== undefined) edit.expect(change.path, change.expected);
    if (change.type === 'write') edit.write(change.path, Buffer.from(change.text), `${at}/path`);
    else if (change.type === 'upload') edit.write(change.path, decode(change.base64, at), `${at}/path`);
    else if (change.type === 'move') edit.move(change.from, change.to, at);
    else if (change.type === 'delete') edit.delete(change.path, `${at}/path`);
    else {
      const path = options.fileOfPage(change.page);
      if (path === undefined) throw invalid(`${at}/page`, 'is not a page with a file in this change request');
      // A page that is a symbolic link shows the text of its target, so that is what was edited.
      edit.write(fileAt(path), Buffer.from(change.markdown), `${at}/page`);
    }
  });
  return { tree: edit.tree, fresh: edit.fresh };
}

class TreeEdit {
  readonly tree: Map<string, TreeEntry>;
  readonly fresh = new Map<string, Uint8Array>();
  readonly #directory: string;
  readonly #hash: HashName;

  constructor(before: ReadonlyMap<string, TreeEntry>, directory: string) {
    this.tree = new Map(before);
    this.#directory = directory;
    const [first] = before.values();
    this.#hash = hashOf(first?.oid ?? '');
  }

  /** Throws a 409 if the file at a path is not the one with this oid; an empty oid is for no file. */
  expect(path: string, oid: string): void {
    const now = this.tree.get(path)?.oid ?? '';
    if (now === oid) return;
    const what = now === '' ? 'does not exist' : oid === '' ? 'exists already' : 'was changed meanwhile';
    throw new ApiError('file-changed', `${path} ${what}, so nothing was changed; read it again first.`);
  }

  write(named: string, bytes: Uint8Array, at: string): void {
    const path = this.#check(named, at);
    this.#refuseCollision(path, at);
    const known = this.tree.get(path);
    // A file that is already there can be edited, moved and deleted.
    if (known === undefined) refuseForWindows(path, this.#directory, at);
    const oid = objectOid('blob', bytes, this.#hash);
    this.fresh.set(oid, bytes);
    const mode = known?.mode === 'executable' ? 'executable' : 'file';
    this.tree.set(path, { path, oid, mode, size: bytes.length });
  }

  move(from: string, to: string, at: string): void {
    const source = this.#check(from, `${at}/from`);
    const target = this.#check(to, `${at}/to`);
    refuseForWindows(target, this.#directory, `${at}/to`);
    const moved = this.#below(source);
    if (moved.length === 0) throw invalid(`${at}/from`, `does not exist: ${source}`);
    if (`${target}/`.startsWith(`${source}/`)) {
      throw invalid(`${at}/to`, 'must be another path, and not inside what is moved');
    }
    if (this.#below(target).length > 0)
      throw new ApiError('path-taken', `${target} already exists; delete it first.`);
    for (const entry of moved) this.tree.delete(entry.path);
    for (const entry of moved) {
      const path = `${target}${entry.path.slice(source.length)}`;
      this.#refuseCollision(path, `${at}/to`);
      this.tree.set(path, { ...entry, path });
    }
  }

  delete(named: string, at: string): void {
    const path = this.#check(named, at);
    const deleted = this.#below(path);
    if (deleted.length === 0) throw invalid(at, `does not exist: ${path}`);
    for (const entry of deleted) this.tree.delete(entry.path);
  }

  /** The file at a path, or all files of the folder. */
  #below(path: string): TreeEntry[] {
    const file = this.tree.get(path);
    if (file !== undefined) return [file];
    return [...this.tree.values()].filter((entry) => entry.path.startsWith(`${path}/`));
  }

  /** A file can neither replace a folder nor be below a file. */
  #refuseCollision(path: string, at: string): void {
    if (!this.tree.has(path) && this.#below(path).length > 0) throw invalid(at, `is a folder: ${path}`);
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      const parent = path.slice(0, slash);
      if (this.tree.has(parent)) throw invalid(at, `is below ${parent}, which is a file`);
    }
  }

  #check(path: string, at: string): string {
    const segments = path.split('/');
    const isWrong = (name: string) => entryNameProblem(Buffer.from(name)) !== null;
    if (segments.some(isWrong) || path.includes('\0')) {
      throw invalid(
        at,
        'must be a path in the repository without ., .. and .git (in any spelling of it) and without a slash at its start or end',
      );
    }
    if (this.#directory !== '' && !path.startsWith(`${this.#directory}/`)) {
      throw invalid(at, `must be inside the folder of the space, ${this.#directory}`);
    }
    return path;
  }
}

/** The folder of the space is the repository's own choice. */
function refuseForWindows(path: string, directory: string, at: string): void {
  const own = directory === '' ? path : path.slice(directory.length + 1);
  for (const name of own.split('/')) {
    const problem = windowsNameProblem(name);
    if (problem !== null) throw invalid(at, `cannot be checked out on Windows: ${problem}`);
  }
}

function decode(base64: string, at: string): Uint8Array {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64)) {
    throw invalid(`${at}/base64`, 'is not base64 (RFC 4648) with padding and without line breaks');
  }
  return Buffer.from(base64, 'base64');
}
