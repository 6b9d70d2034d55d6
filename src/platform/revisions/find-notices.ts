import type { Engine, SpaceAnalysis, TreeEntry } from '../../content/index.ts';
import { treeIndexOf } from '../../content/tree/index.ts';
import type { ContentNotice } from '../../contract/index.ts';
import type { Notices } from '../../store/index.ts';
import { maxFileBytes, type StoredFile } from './store-files.ts';

/** Notices that are stored of one revision; further ones are only counted. */
const MAX_KEPT = 50;

/** An entry of the repository that is left out of its tree here; see `GitRepository.readTree`. */
export interface RefusedEntry {
  readonly path: string;
  readonly reason: string;
}

interface Found {
  readonly analysis: SpaceAnalysis;
  readonly tree: readonly TreeEntry[];
  readonly directory: string;
  readonly stored: readonly StoredFile[];
  readonly refused: readonly RefusedEntry[];
  readonly engine: Pick<Engine, 'factsOf'>;
}

/** The files of a space that are not shown as they stand in the repository, in the order of their paths; null for none. */
export function findNotices(found: Found): Notices | null {
  const prefix = found.directory === '' ? '' : `${found.directory}/`;
  const notices = [
    ...found.refused.filter(({ path }) => path.startsWith(prefix)).map(describeRefused),
    ...describeTree(found, prefix),
    ...found.stored.flatMap(describeStored),
    ...found.analysis.problems.map(
      ({ file, line, message }): ContentNotice => ({
        code: 'unread',
        path: file,
        ...(line === null ? {} : { line }),
        message,
      }),
    ),
  ];
  if (notices.length === 0) return null;
  const sorted = notices.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { count: notices.length, items: sorted.slice(0, MAX_KEPT).map(storable) };
}

const noticesByTree = new WeakMap<SpaceAnalysis['dialects'], readonly ContentNotice[]>();

/**
 * The notices that depend on the tree's paths alone. After most pushes these are the same, and the engine returns the same
 * `dialects` object: a file that is added or removed, or a changed symbolic link or submodule, makes it return another.
 */
function describeTree(found: Found, prefix: string): readonly ContentNotice[] {
  const { dialects } = found.analysis;
  let notices = noticesByTree.get(dialects);
  if (notices === undefined) {
    const inside = found.tree.filter((entry) => entry.path.startsWith(prefix));
    notices = [...inside.flatMap((entry) => describeDetour(entry, found)), ...describeSameNames(inside)];
    noticesByTree.set(dialects, notices);
  }
  return notices;
}

function describeRefused({ path, reason }: RefusedEntry): ContentNotice {
  return { code: 'name-refused', path, message: `${refusal}${reason}.` };
}

const refusal = 'It was left out: ';

/** The reason that a notice of a refused entry was made with. */
export function reasonOf(message: string): string {
  return message.slice(refusal.length, -1);
}

const leads = {
  outside: 'out of the repository',
  dangling: 'to nothing that is there',
  loop: 'in a circle',
} as const;

/** Why a symbolic link or submodule is not shown to readers. */
function describeDetour({ path, mode }: TreeEntry, { tree, engine }: Found): ContentNotice[] {
  if (mode === 'submodule') {
    const message = 'It is a submodule: its files are in another repository and were left out.';
    return [{ code: 'submodule', path, message }];
  }
  if (mode !== 'symlink') return [];
  const located = treeIndexOf(tree).locate(path, (link) => engine.factsOf(link.oid, '')?.symlinkTarget);
  if (located.kind !== 'symlink' || located.reason === 'unread') return [];
  const message = `It is a symbolic link that leads ${leads[located.reason]}, so it was left out.`;
  return [{ code: 'symlink', path, message }];
}

function describeStored({ path, state }: StoredFile): ContentNotice[] {
  if (state === 'too-large') {
    const limit = Math.round(maxFileBytes / 1024 / 1024);
    const message = `It is larger than ${limit} MB, so it is listed without its bytes.`;
    return [{ code: 'too-large', path, message }];
  }
  if (state !== 'pointer') return [];
  const message =
    'It is kept by Git LFS: the repository holds a pointer to its bytes, which is what is shown here.';
  return [{ code: 'lfs-pointer', path, message }];
}

/** Files whose names are the same on the file systems of macOS or Windows. Each one but the first is reported. */
function describeSameNames(entries: readonly TreeEntry[]): ContentNotice[] {
  const first = new Map<string, string>();
  const notices: ContentNotice[] = [];
  for (const { path } of entries) {
    const composed = isAscii(path) ? path : path.normalize('NFC');
    const folded = composed.toLowerCase();
    const earlier = first.get(folded);
    if (earlier === undefined) first.set(folded, path);
    else {
      const by = earlier.normalize('NFC') === composed ? 'in the Unicode form of their letters' : 'in case';
      const message = `It differs from ${earlier} only ${by}; macOS and Windows keep but one of them.`;
      notices.push({ code: 'same-name', path, message });
    }
  }
  return notices;
}

function isAscii(path: string): boolean {
  return /^[ -~]*$/.test(path);
}

/** PostgreSQL cannot store NUL in JSON, nor half of a surrogate pair. */
function storable(notice: ContentNotice): ContentNotice {
  const clean = (text: string) => text.replaceAll('\0', '\ufffd').toWellFormed();
  return { ...notice, path: clean(notice.path), message: clean(notice.message) };
}
