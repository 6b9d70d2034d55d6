import type {
  FileFacts,
  Link,
  Reference,
  Rename,
  RepoPath,
  RepositoryAddress,
  Rule,
  Status,
  TreeEntry,
} from '../model.ts';
import { isPageFile, isReadme } from '../tree/page-files.ts';
import type { Located, TreeIndex } from '../tree/tree-index.ts';
import { hasAnchor, suggestAnchor } from './judge-anchor.ts';
import { type ParsedTarget, parseTarget } from './parse-target.ts';
import type { SuggestionBudget } from './similar-anchor.ts';
import { suggestPath } from './suggest-path.ts';

/** What the judge may ask about one tree. */
export interface JudgeContext {
  readonly index: TreeIndex;
  readonly factsOf: (entry: TreeEntry) => FileFacts | undefined;
  /** The page or file that stands for a folder, if any. */
  readonly indexPageOf: (folder: RepoPath) => RepoPath | null;
  readonly repository: RepositoryAddress | undefined;
  /** Old path → new path. */
  readonly renames: ReadonlyMap<Rename['from'], Rename['to']>;
  readonly budget: SuggestionBudget;
}

type Verdict = Pick<
  Link,
  'status' | 'rule' | 'message' | 'suggestion' | 'resolved' | 'anchor' | 'destination'
>;

/** Judges one reference of `file`: where it points, whether that is there, and what would be right if not. */
export function judgeLink(context: JudgeContext, file: RepoPath, reference: Reference): Link {
  return { ...reference, file, relation: 'reference', ...judge(context, file, reference) };
}

function judge(context: JudgeContext, file: RepoPath, reference: Reference): Verdict {
  const parsed = parseTarget(file, reference, context.repository);
  const { target } = parsed;
  if (target.kind === 'invalid') return broken(target.rule, target.message, null);
  if (target.kind === 'url') {
    return verdict('unchecked', 'The link leads outside the repository and was not followed.');
  }
  const { path, anchor } = target;
  const located = context.index.locate(path, (entry) => context.factsOf(entry)?.symlinkTarget);
  const found = judgeLocated(context, file, parsed, path, located);
  if (found !== null) return { ...found, anchor, destination: path };
  return judgeAnchor(context, file, parsed, path, located);
}

/** A verdict when the path itself settles it; null when something is there and its anchor decides. */
function judgeLocated(
  context: JudgeContext,
  file: RepoPath,
  parsed: ParsedTarget,
  path: RepoPath,
  located: Located,
): Verdict | null {
  if (located.kind === 'submodule') {
    return verdict('unchecked', `${show(path)} is inside a submodule, which is another repository.`);
  }
  if (located.kind === 'symlink') return judgeSymlink(path, located.reason);
  if (located.kind === 'file' && parsed.wantsFolder) {
    // Hosts differ: some drop the slash, others look for a folder.
    return verdict('unchecked', `${show(path)} is a file, and the slash at the end asks for a folder.`);
  }
  if (located.kind !== 'none') return null;
  const { rule, message, suggestion } = suggestPath(context, file, parsed, path);
  return broken(rule, message, suggestion);
}

function judgeSymlink(path: RepoPath, reason: 'outside' | 'dangling' | 'loop' | 'unread'): Verdict {
  const what = `${show(path)} leads through a symbolic link`;
  if (reason === 'unread') return verdict('unchecked', `${what} that was not read.`);
  if (reason === 'outside') return broken('outside-repository', `${what} out of the repository.`, null);
  if (reason === 'loop') return broken('missing-file', `${what} that turns in a circle.`, null);
  return broken('missing-file', `${what} to something that is not there.`, null);
}

function judgeAnchor(
  context: JudgeContext,
  file: RepoPath,
  parsed: ParsedTarget,
  destination: RepoPath,
  located: Located,
): Verdict {
  const anchor = parsed.target.kind === 'path' ? parsed.target.anchor : null;
  const path = located.kind === 'file' ? located.entry.path : folderPage(context, located);
  const resolved =
    path === null ? null : { path, type: isPageFile(path) ? ('page' as const) : ('file' as const) };
  const base = { resolved, anchor, destination };
  const entry = path === null ? undefined : context.index.entry(path);
  if (anchor === null || entry === undefined || resolved?.type !== 'page')
    return { ...verdict('ok', null), ...base };
  // The host shows a folder's README below its list; other index files stay closed there.
  if (located.kind === 'folder' && !isReadme(context.indexPageOf(located.path))) {
    return { ...verdict('ok', null), ...base };
  }
  const facts = context.factsOf(entry);
  if (facts === undefined || (!facts.complete && !hasAnchor(facts, anchor))) {
    return { ...verdict('unchecked', `The headings of ${show(entry.path)} were not read.`), ...base };
  }
  if (hasAnchor(facts, anchor)) return { ...verdict('ok', null), ...base };
  const similar = suggestAnchor(facts, anchor, context.budget);
  const tail = similar === null ? null : parsed.writtenTail.replace(/#[\s\S]*$/, () => `#${similar}`);
  const suggestion = tail === null ? null : parsed.writtenPrefix + parsed.writtenPath + tail;
  const where = entry.path === file ? 'This page' : show(entry.path);
  return { ...broken('missing-anchor', `${where} has no heading or id “${anchor}”.`, suggestion), ...base };
}

/** The file that stands for a folder; a symbolic link's target. */
function folderPage(context: JudgeContext, located: Located): RepoPath | null {
  const page = located.kind === 'folder' ? context.indexPageOf(located.path) : null;
  if (page === null) return null;
  const shown = context.index.locate(page, (entry) => context.factsOf(entry)?.symlinkTarget);
  return shown.kind === 'file' ? shown.entry.path : null;
}

function verdict(status: Status, message: string | null): Verdict {
  return { status, rule: null, message, suggestion: null, resolved: null, anchor: null, destination: null };
}

function broken(rule: Rule, message: string, suggestion: string | null): Verdict {
  return { ...verdict('broken', message), rule, suggestion };
}

function show(path: RepoPath): string {
  return path === '' ? 'The repository’s root' : path;
}
