import type { DetectedSpace, RepoPath, TreeEntry } from '../../content/index.ts';
import { contentsAbove, type MovePlan, planMove } from '../../content/move/index.ts';
import type { ContentChange, FileAction, FilePlan } from '../../contract/index.ts';
import { hashOf, objectOid } from '../../git/index.ts';
import type { RevisionOrigin } from '../../store/index.ts';
import { ApiError, invalid } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';
import { analyseEdited } from './analyse-edited.ts';
import { addContentsGroup, addToContents } from './edit-contents.ts';
import type { EditedContent } from './locate-edited.ts';
import { requirePath } from './require-path.ts';

/** Changes, and links that get worse, that a plan shows. */
const MAX_SHOWN = 1_000;

/** An action with all changes of files that follow from it. */
export interface PlannedFiles {
  readonly plan: FilePlan;
  readonly changes: readonly ContentChange[];
}

/** Plans an action. Throws a 400 or 409 for one that is not possible. */
export async function planFiles(
  deps: PlatformDeps,
  content: EditedContent,
  action: FileAction,
): Promise<PlannedFiles> {
  if (action.type === 'move') return await planMoving(deps, content, action);
  if (action.type === 'delete') return await planDeletion(deps, content, action);
  return await planCreation(deps, content, action);
}

async function planMoving(
  deps: PlatformDeps,
  content: EditedContent,
  { from, to }: Extract<FileAction, { type: 'move' }>,
): Promise<PlannedFiles> {
  requireThere(content, from, 'from');
  requirePath(to, '/body/action/to', content.revision.directory);
  if (isThere(content, to)) throw new ApiError('path-taken', `${to} already exists; choose another name.`);
  if (`${to}/`.startsWith(`${from}/`))
    throw invalid('/body/action/to', 'must be another path, and not inside what is moved');
  const planned = await planWith(deps, content, { from, to, isDeletion: false });
  return finish(content, planned, [{ type: 'move', from, to }]);
}

async function planDeletion(
  deps: PlatformDeps,
  content: EditedContent,
  { path, replacement: named }: Extract<FileAction, { type: 'delete' }>,
): Promise<PlannedFiles> {
  const replacement = named ?? null;
  requireThere(content, path, 'path');
  if (replacement !== null) {
    if (content.rows.entries.get(replacement) === undefined || `${replacement}/`.startsWith(`${path}/`))
      throw invalid('/body/action/replacement', 'must be a file that stays');
    if (content.rows.entries.get(path) === undefined)
      throw invalid('/body/action/replacement', 'is only possible for a single file');
  }
  const planned = await planWith(deps, content, { from: path, to: replacement, isDeletion: true });
  return finish(content, planned, [{ type: 'delete', path }]);
}

async function planCreation(
  deps: PlatformDeps,
  content: EditedContent,
  action: Extract<FileAction, { type: 'create' | 'create-group' }>,
): Promise<PlannedFiles> {
  const { readBlobs } = await analyseEdited(deps, content, new Map());
  const read = async (path: string) => {
    const entry = content.rows.entries.get(path);
    if (entry === undefined) return null;
    for await (const { bytes } of readBlobs([entry.oid])) return exactText(bytes);
    return null;
  };
  const paths = [...content.rows.entries.keys()].filter((path) => isInside(content, path));
  const { directory } = content.revision;
  const contents = contentsAbove(
    action.type === 'create' ? action.path : directory === '' ? 'x' : `${directory}/x`,
    paths,
  );
  const before = contents === null ? null : await read(contents);
  if (action.type === 'create-group') {
    if (contents === null || before === null)
      throw invalid(
        '/body/action',
        'is not possible here: this space has no table of contents, so create a page in a new folder',
      );
    const after = addContentsGroup(before, action.title);
    return created(content, contents, { before, after }, []);
  }
  const { path, title } = action;
  requirePath(path, '/body/action/path', content.revision.directory);
  if (isThere(content, path))
    throw new ApiError('path-taken', `${path} already exists; choose another name.`);
  const page: ContentChange = { type: 'write', path, text: `# ${oneLine(title)}\n`, expected: '' };
  if (contents === null || before === null) {
    const { analysis } = await analyseEdited(deps, content, new Map([[path, page.text]]));
    const isShown = hasPage(analysis.pages, path);
    const notes = isShown
      ? []
      : [`The navigation of this space does not show ${path} by itself: list it in the configuration.`];
    return created(content, null, null, [page], notes);
  }
  const after = addToContents(before, { contents, path, title: oneLine(title), after: action.after ?? null });
  return created(content, contents, { before, after }, [page]);
}

function created(
  content: EditedContent,
  contents: string | null,
  text: { readonly before: string; readonly after: string } | null,
  changes: readonly ContentChange[],
  notes: readonly string[] = [],
): PlannedFiles {
  const listed: ContentChange[] =
    contents === null || text === null ? [] : [{ type: 'write', path: contents, text: text.after }];
  const shown: FilePlan['changes'] = [
    ...changes.map((change) => ({
      kind: 'file' as const,
      file: 'path' in change ? change.path : '',
      before: '',
      after: 'text' in change ? change.text.trim() : '',
    })),
    ...(contents === null || text === null ? [] : [addedLine(contents, text)]),
  ];
  return {
    plan: {
      object: 'file-plan',
      revision: content.revision.id,
      changes: shown,
      moreChanges: 0,
      worse: [],
      byHand: [],
      notes: [...notes],
    },
    changes: [...changes, ...listed],
  };
}

/** The first line that a text has and the text before it has not. */
function addedLine(file: string, { before, after }: { readonly before: string; readonly after: string }) {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const at = now.findIndex((line, index) => line !== old[index] && line.trim() !== '');
  return { kind: 'setting' as const, file, line: at + 1, before: '', after: (now[at] ?? '').trim() };
}

async function planWith(
  deps: PlatformDeps,
  content: EditedContent,
  move: { readonly from: string; readonly to: string | null; readonly isDeletion: boolean },
): Promise<Planned> {
  const { space, revision } = content;
  const { tree, format, readBlobs } = await analyseEdited(deps, content, new Map());
  const hash = hashOf(tree[0]?.oid ?? '');
  const own: DetectedSpace = {
    directory: revision.directory,
    title: space.title,
    format: format.format,
    role: 'space',
    isChecked: true,
  };
  const siblings = format.siblingDirectories.map((directory): DetectedSpace => ({ ...own, directory }));
  const { repository } = revision.origin as RevisionOrigin;
  const plan = await planMove({
    ...move,
    spaces: [own, ...siblings],
    wanted: [own],
    repository: repository ?? null,
    engine: deps.deriver.engineOf(space),
    tree: {
      entries: tree,
      read: async (entry) => {
        for await (const { bytes } of readBlobs([entry.oid])) return bytes;
        return null;
      },
      readBlobs: (entries: readonly TreeEntry[]) => readBlobs(entries.map(({ oid }) => oid)),
      oidOf: (_path, text) => objectOid('blob', Buffer.from(text), hash),
    },
  });
  const oldPath = (path: string) => {
    const { to, from } = move;
    if (to === null || move.isDeletion) return path;
    return path === to || path.startsWith(`${to}/`) ? from + path.slice(to.length) : path;
  };
  const bytesBefore = async (path: string) => {
    const entry = content.rows.entries.get(oldPath(path));
    if (entry === undefined) return null;
    for await (const { bytes } of readBlobs([entry.oid])) return exactText(bytes);
    return null;
  };
  return { plan, bytesBefore };
}

interface Planned {
  readonly plan: MovePlan;
  /** The exact text of a file before the action, by its path after it; null for what is no text. */
  readonly bytesBefore: (path: string) => Promise<string | null>;
}

const BOM = '\uFEFF';

function withoutBom(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}

/** The plan for people, and the changes. What is outside the folder of the space, or not exactly text, is left to people. */
async function finish(
  content: EditedContent,
  { plan, bytesBefore }: Planned,
  first: readonly ContentChange[],
): Promise<PlannedFiles> {
  const byHand = [...plan.byHand];
  const refused = new Set<string>();
  const writes: ContentChange[] = [];
  for (const [path, { before, after }] of plan.texts) {
    const exact = before === null ? '' : await bytesBefore(path);
    const isExact = exact !== null && withoutBom(exact) === (before ?? '');
    if (!isInside(content, path) || !isExact) refused.add(path);
    else writes.push({ type: 'write', path, text: exact.startsWith(BOM) ? BOM + after : after });
  }
  for (const path of plan.symlinks.keys())
    byHand.push({ file: path, line: 1, message: 'point this symbolic link to the new path' });
  const kept = <Change extends { readonly file: string }>(changes: readonly Change[]) =>
    changes.filter(({ file }) => !refused.has(file));
  const left = [...plan.edits, ...plan.settings].filter(({ file }) => refused.has(file));
  for (const { file, line, target, to } of left)
    byHand.push({
      file,
      line,
      message: `change ${target} to ${to} in the repository, which is not part of the space or no UTF-8`,
    });
  const changes: FilePlan['changes'] = [
    ...kept(plan.edits).map(({ file, line, target, to }) => ({
      kind: 'link' as const,
      file,
      line,
      before: target,
      after: to,
    })),
    ...kept(plan.settings).map(({ file, line, target, to }) => ({
      kind: 'setting' as const,
      file,
      line,
      before: target,
      after: to,
    })),
    ...kept(plan.redirects).map(({ file, from, to }) => ({
      kind: 'redirect' as const,
      file,
      before: from,
      after: to,
    })),
  ];
  return {
    plan: {
      object: 'file-plan',
      revision: content.revision.id,
      changes: changes.slice(0, MAX_SHOWN),
      moreChanges: Math.max(0, changes.length - MAX_SHOWN),
      worse: plan.worse
        .slice(0, MAX_SHOWN)
        .map(({ newFile, line, target, why }) => ({ file: newFile, line, target, message: why })),
      byHand: byHand.slice(0, MAX_SHOWN).map(({ file, line, message }) => ({ file, line, message })),
      notes: [...plan.notes],
    },
    changes: [...first, ...writes],
  };
}

function requireThere(content: EditedContent, path: string, field: string): void {
  if (!isThere(content, path)) throw invalid(`/body/action/${field}`, `does not exist: ${path}`);
  if (path === content.revision.directory)
    throw invalid(`/body/action/${field}`, 'is the folder of the space itself');
}

/** Whether there is a file or folder at a path. */
function isThere({ rows }: EditedContent, path: string): boolean {
  if (rows.entries.has(path)) return true;
  for (const other of rows.entries.keys()) if (other.startsWith(`${path}/`)) return true;
  return false;
}

function isInside({ revision: { directory } }: EditedContent, path: string): boolean {
  return directory === '' || path.startsWith(`${directory}/`);
}

function hasPage(
  pages: readonly { readonly file: RepoPath | null; readonly pages: readonly unknown[] }[],
  path: string,
): boolean {
  return pages.some((page) => page.file === path || hasPage(page.pages as typeof pages, path));
}

function oneLine(title: string): string {
  return title.replace(/\s+/g, ' ').trim();
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function exactText(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
