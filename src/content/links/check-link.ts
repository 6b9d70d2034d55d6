import type { FoundTarget, LinkRules, LinkVerdict, PathResolution } from '../format-port/index.ts';
import type { Link, Reference, RepoPath, Rule, Status, Warning } from '../model/index.ts';
import { UNREAD_MARK } from '../text/index.ts';
import type { LocatedPath } from '../tree/index.ts';
import type { LinkContext } from './link-context.ts';
import { findNamedHeading, findSimilarAnchor } from './similar-anchor.ts';
import { renamedPath, suggestPath } from './suggest-path.ts';

type Verdict = Pick<
  Link,
  'status' | 'rule' | 'message' | 'warning' | 'suggestion' | 'resolved' | 'anchor' | 'destination'
>;

/** Blocks that show what stands elsewhere. */
const DEPENDENCIES = /^(?:include|swagger|openapi(?:-[a-z]+)?)$/;

/** Judges one reference of `file`: where it points, whether that is there, and what would be right if not. */
export function checkLink(
  context: LinkContext,
  rules: LinkRules,
  file: RepoPath,
  reference: Reference,
): Link {
  const isDependency = reference.kind === 'block' && DEPENDENCIES.test(reference.carrier ?? '');
  const relation = isDependency ? 'dependsOn' : 'reference';
  return { ...reference, file, relation, ...resolveVerdict(context, rules, file, reference) };
}

function resolveVerdict(
  context: LinkContext,
  rules: LinkRules,
  file: RepoPath,
  reference: Reference,
): Verdict {
  if (reference.target.includes(UNREAD_MARK)) {
    return verdict('unchecked', 'Some signs of the destination were not read.');
  }
  const resolution = rules.resolve(file, reference);
  if (resolution.kind === 'verdict') return toVerdict(resolution);
  const { anchor, candidates } = resolution;
  const [path, located] = locate(context, candidates);
  const found = checkPath(context, rules, { file, reference, resolution, path, located });
  const warning = resolution.warning ?? null;
  if (found !== null) return { ...found, warning: found.warning ?? warning, anchor, destination: path };

  const place = foundTarget(context, rules, path, located);
  const target = place.file;
  const resolved =
    target === null
      ? null
      : { path: target, type: rules.isPage(target) ? ('page' as const) : ('file' as const) };
  const base = { resolved, anchor, destination: path };
  const objection = rules.checkAccess?.(place, file, reference) ?? null;
  if (objection !== null && objection.status !== 'ok') {
    return { ...withRename(context, resolution, path, toVerdict(objection)), ...base };
  }
  const judged = checkAnchor(context, rules, { file, reference, resolution, place });
  return {
    ...judged,
    warning: judged.warning ?? objection?.warning ?? warning,
    suggestion: judged.suggestion ?? objection?.suggestion ?? null,
    ...base,
  };
}

/** A folder that is still there may have lost its page to a rename. */
function withRename(
  context: LinkContext,
  resolution: PathResolution,
  path: RepoPath,
  verdict: Verdict,
): Verdict {
  if (verdict.rule !== 'missing-page' || verdict.suggestion !== null) return verdict;
  const renamed = renamedPath(context, path);
  if (renamed === null) return verdict;
  return {
    ...verdict,
    message: `The page of ${path} is now ${renamed}.`,
    suggestion: resolution.write(renamed, { wantsFolder: false }),
  };
}

/** The first candidate that leads to something; the first of all when none does. */
function locate(
  { index, symlinkTarget }: LinkContext,
  candidates: PathResolution['candidates'],
): readonly [RepoPath, LocatedPath] {
  let first: readonly [RepoPath, LocatedPath] | null = null;
  for (const path of candidates) {
    const located = index.locate(path, symlinkTarget);
    if (located.kind === 'file' || located.kind === 'folder') return [path, located];
    if (first === null || (first[1].kind === 'none' && located.kind !== 'none')) first = [path, located];
  }
  return first ?? [candidates[0], { kind: 'none' }];
}

interface CheckedReference {
  readonly file: RepoPath;
  readonly reference: Reference;
  readonly resolution: PathResolution;
}

/** A verdict when the path itself settles it; null when something is there and its anchor decides. */
function checkPath(
  context: LinkContext,
  rules: LinkRules,
  {
    file,
    reference,
    resolution,
    path,
    located,
  }: CheckedReference & { readonly path: RepoPath; readonly located: LocatedPath },
): Verdict | null {
  if (located.kind === 'submodule') {
    return verdict('unchecked', `${show(path)} is inside a submodule, which is another repository.`);
  }
  if (located.kind === 'symlink') return checkSymlink(path, located.reason);
  if (located.kind === 'file' && resolution.wantsFolder) {
    // Hosts differ: some drop the slash, others look for a folder.
    return verdict('unchecked', `${show(path)} is a file, and the slash at the end asks for a folder.`);
  }
  if (located.kind !== 'none') return null;
  const own = rules.explainMissing?.(resolution, file, reference) ?? null;
  if (own !== null) return toVerdict(own);
  const asked = { file, reference };
  const isReached = (suggestion: string) =>
    isValidSuggestion(context, rules, { ...asked, suggestion, withAnchor: true });
  const { rule, message, suggestion, isRenamed } = suggestPath(context, rules, resolution, path, isReached);
  const isRight =
    isRenamed === true || suggestion === null || isValidSuggestion(context, rules, { ...asked, suggestion });
  return broken(rule, message, isRight ? suggestion : null);
}

/** Whether the format lets readers get to what is suggested. */
function isValidSuggestion(
  context: LinkContext,
  rules: LinkRules,
  asked: {
    readonly file: RepoPath;
    readonly reference: Reference;
    readonly suggestion: string;
    /** Whether the heading must be there too. */
    readonly withAnchor?: boolean;
  },
): boolean {
  const reference = { ...asked.reference, target: asked.suggestion };
  const resolution = rules.resolve(asked.file, reference);
  if (resolution.kind === 'verdict') return resolution.status !== 'broken';
  const [path, located] = locate(context, resolution.candidates);
  if (located.kind !== 'file' && located.kind !== 'folder') return false;
  const place = foundTarget(context, rules, path, located);
  const objection = rules.checkAccess?.(place, asked.file, reference);
  if (objection?.status !== 'broken') {
    const whole = { file: asked.file, reference, resolution, place };
    return asked.withAnchor !== true || checkAnchor(context, rules, whole).status !== 'broken';
  }
  // What a table of contents names becomes listed by that.
  const source = context.index.entry(asked.file);
  const isContents = source !== undefined && (context.factsOf(source)?.contents ?? null) !== null;
  return objection.rule === 'unlisted-page' && isContents;
}

function checkSymlink(path: RepoPath, reason: 'outside' | 'dangling' | 'loop' | 'unread'): Verdict {
  const what = `${show(path)} leads through a symbolic link`;
  if (reason === 'unread') return verdict('unchecked', `${what} that was not read.`);
  if (reason === 'outside') return broken('outside-repository', `${what} out of the repository.`, null);
  if (reason === 'loop') return broken('missing-file', `${what} that turns in a circle.`, null);
  return broken('missing-file', `${what} to something that is not there.`, null);
}

function foundTarget(
  context: LinkContext,
  rules: LinkRules,
  candidate: RepoPath,
  located: LocatedPath,
): FoundTarget {
  if (located.kind === 'file') return { candidate, file: located.entry.path, isFolder: false };
  const folder = located.kind === 'folder' ? located.path : candidate;
  const page = rules.indexPageOf(folder);
  if (page === null) return { candidate: folder, file: null, isFolder: true };
  const shown = context.index.locate(page, context.symlinkTarget);
  return { candidate: folder, file: shown.kind === 'file' ? shown.entry.path : null, isFolder: true };
}

function checkAnchor(
  context: LinkContext,
  rules: LinkRules,
  { file, reference, resolution, place }: CheckedReference & { readonly place: FoundTarget },
): Verdict {
  const { anchor } = resolution;
  const entry = place.file === null ? undefined : context.index.entry(place.file);
  if (anchor === null || entry === undefined || !rules.isPage(entry.path)) return verdict('ok', null);
  if (place.isFolder && !rules.anchorsOfFolder(place.candidate)) return verdict('ok', null);
  const facts = context.factsOf(entry);
  const unread = () => verdict('unchecked', `The headings of ${show(entry.path)} were not read.`);
  if (facts === undefined) return unread();
  const judged = rules.checkAnchor({ anchor, page: entry.path, facts, file, reference });
  if (judged.status === 'unchecked') return verdict('unchecked', judged.message);
  if (judged.status === 'ok') {
    const better = judged.better === undefined ? null : resolution.writeAnchor(judged.better);
    return { ...verdict('ok', null), warning: judged.warning ?? null, suggestion: better };
  }
  if (!facts.complete) return unread();
  const similar =
    findSimilarAnchor(anchor, judged.names, context.budget) ??
    findNamedHeading(anchor, facts.anchors, context.budget);
  const suggestion = similar === null ? null : resolution.writeAnchor(similar);
  const where = entry.path === file ? 'This page' : show(entry.path);
  return broken('missing-anchor', judged.message ?? `${where} has no heading or id “${anchor}”.`, suggestion);
}

const NOTHING = {
  rule: null,
  suggestion: null,
  warning: null as Warning | null,
  resolved: null,
  anchor: null,
  destination: null,
};

function toVerdict({ kind: _kind, ...verdict }: LinkVerdict): Verdict {
  return { ...NOTHING, ...verdict };
}

function verdict(status: Status, message: string | null): Verdict {
  return { ...NOTHING, status, message };
}

function broken(rule: Rule, message: string, suggestion: string | null): Verdict {
  return { ...NOTHING, status: 'broken', rule, message, suggestion };
}

function show(path: RepoPath): string {
  return path === '' ? 'The repository’s root' : path;
}
