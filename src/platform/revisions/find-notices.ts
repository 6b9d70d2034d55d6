import type { Engine, SpaceAnalysis, TreeEntry } from '../../content/index.ts';
import { treeIndexOf } from '../../content/tree/index.ts';
import type { ContentNotice } from '../../contract/index.ts';
import { windowsNameProblem } from '../../git/index.ts';
import type { Notice, Notices } from '../../store/index.ts';
import type { UnsearchedPage } from '../search/store-sections.ts';
import { maxFileBytes, type StoredFile } from './store-files.ts';

/** The most notices that are stored with a revision; further ones are only counted. */
const MAX_STORED = 50;

/** An entry that `GitRepository.readTree` left out. */
export interface RefusedEntry {
  readonly path: string;
  readonly reason: string;
}

interface NoticeInput {
  readonly analysis: SpaceAnalysis;
  readonly tree: readonly TreeEntry[];
  readonly directory: string;
  readonly stored: readonly StoredFile[];
  readonly unsearched: readonly UnsearchedPage[];
  readonly refused: readonly RefusedEntry[];
  readonly engine: Pick<Engine, 'factsOf'>;
}

/** The files of a space that are not shown as they are in the repository, in the order of their paths; null for none. */
export function findNotices(input: NoticeInput): Notices | null {
  const prefix = input.directory === '' ? '' : `${input.directory}/`;
  const notices = [
    ...input.refused.filter(({ path }) => path.startsWith(prefix)).map(describeRefused),
    ...describeTree(input, prefix),
    ...input.stored.flatMap(describeStored),
    ...input.unsearched.map(
      ({ path, problem }): Notice => ({ code: 'unread', path, message: problem, reason: UNSEARCHED }),
    ),
    ...[...input.analysis.problems, ...input.analysis.notices].map(
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
  return { count: notices.length, items: sorted.slice(0, MAX_STORED).map(storable) };
}

const noticesByTree = new WeakMap<SpaceAnalysis['dialects'], readonly ContentNotice[]>();

/**
 * The notices that depend on the tree's paths alone. After most pushes they are the same, which shows in the `dialects`
 * object: the engine returns a new one only if a file is added or removed, or a symbolic link or submodule changes.
 */
function describeTree(input: NoticeInput, prefix: string): readonly ContentNotice[] {
  const { dialects } = input.analysis;
  let notices = noticesByTree.get(dialects);
  if (notices === undefined) {
    const inside = input.tree.filter((entry) => entry.path.startsWith(prefix));
    notices = [
      ...inside.flatMap((entry) => describeLinkEntry(entry, input)),
      ...describeSameNames(inside),
      ...describeNamesForWindows(inside),
    ];
    noticesByTree.set(dialects, notices);
  }
  return notices;
}

function describeRefused({ path, reason }: RefusedEntry): Notice {
  return { code: 'name-refused', path, message: `${refusal}${reason}.`, reason };
}

const refusal = 'It was left out: ';

/** The reason in a notice about a refused entry. Until 0.1.0 only its message contained it. */
export function reasonOf({ reason, message }: Notice): string {
  return reason ?? message.slice(refusal.length, -1);
}

/** The reason in a notice about a page that search does not find as a whole; no reader sees it. */
const UNSEARCHED = 'unsearched';

export function isUnsearched({ code, reason }: Notice): boolean {
  return code === 'unread' && reason === UNSEARCHED;
}

const leads = {
  outside: 'out of the repository',
  dangling: 'to a file that does not exist',
  loop: 'in a circle',
} as const;

/** Why a symbolic link or submodule is not shown to readers. */
function describeLinkEntry({ path, mode }: TreeEntry, { tree, engine }: NoticeInput): ContentNotice[] {
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
    'Its bytes are in Git LFS: the repository contains only a pointer to them, which is shown here.';
  return [{ code: 'lfs-pointer', path, message }];
}

/** Files whose names are the same on the file systems of macOS or Windows. All but the first are reported. */
function describeSameNames(entries: readonly TreeEntry[]): ContentNotice[] {
  const first = new Map<string, string>();
  const notices: ContentNotice[] = [];
  for (const { path } of entries) {
    const composed = isAscii(path) ? path : path.normalize('NFC');
    const folded = composed.toLowerCase();
    const earlier = first.get(folded);
    if (earlier === undefined) first.set(folded, path);
    else {
      const difference =
        earlier.normalize('NFC') === composed ? 'in the Unicode form of its letters' : 'in case';
      const message = `It differs from ${earlier} only ${difference}; macOS and Windows can store only one of them.`;
      notices.push({ code: 'same-name', path, message });
    }
  }
  return notices;
}

/** Names that no clone on Windows can have; each folder is reported once, by its first file. */
function describeNamesForWindows(entries: readonly TreeEntry[]): ContentNotice[] {
  const problems = new Map<string, string | null>();
  return entries.flatMap(({ path }) => {
    for (let end = 0; end !== -1; ) {
      const start = end === 0 ? 0 : end + 1;
      end = path.indexOf('/', start);
      const upTo = end === -1 ? path : path.slice(0, end);
      if (problems.has(upTo)) {
        if (problems.get(upTo) !== null) return [];
        continue;
      }
      const problem = windowsNameProblem(upTo.slice(start));
      problems.set(upTo, problem);
      if (problem === null) continue;
      const message = `It cannot be checked out on Windows, nor can its repository: ${problem}.`;
      return [{ code: 'not-on-windows', path, message }];
    }
    return [];
  });
}

function isAscii(path: string): boolean {
  return /^[ -~]*$/.test(path);
}

/** PostgreSQL can store neither NUL nor half of a surrogate pair in JSON. */
function storable(notice: Notice): Notice {
  const clean = (text: string) => text.replaceAll('\0', '\ufffd').toWellFormed();
  const { path, message, reason } = notice;
  const cleaned = { ...notice, path: clean(path), message: clean(message) };
  return reason === undefined ? cleaned : { ...cleaned, reason: clean(reason) };
}
