import type { FoundTarget, LinkRules, LinkVerdict, PathResolution } from '../format-port/index.ts';
import type { Link, Reference, RepoPath, Rule, Status, Warning } from '../model/index.ts';
import { UNREAD_MARK } from '../text/index.ts';
import { isReadme, type LocatedPath } from '../tree/index.ts';
import { explainElsewhere, isContribution, isNixOption, isRoute, isSetting } from './explain-elsewhere.ts';
import type { LinkContext } from './link-context.ts';
import { findNamedHeading, findSimilarAnchor } from './similar-anchor.ts';
import { renamedPath, suggestPath } from './suggest-path.ts';

type Verdict = Pick<
  Link,
  'status' | 'rule' | 'message' | 'warning' | 'suggestion' | 'resolved' | 'anchor' | 'destination'
>;

/** Blocks that show the content of another file. */
const DEPENDENCIES = /^(?:include|swagger|openapi(?:-[a-z]+)?)$/;

/** Checks one reference of `file`: where it points, whether the target exists, and what to suggest if it does not. */
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
  if (reference.kind === 'html-link' && reference.target.trim() === '') {
    return verdict(
      'unchecked',
      'An empty address in HTML is that of the page itself, and scripts replace it.',
    );
  }
  if (isWithoutText(reference)) {
    return verdict(
      'unchecked',
      'The link has neither a text nor a destination, so that readers see nothing.',
    );
  }
  const resolution = rules.resolve(file, reference);
  if (resolution.kind === 'verdict') {
    const inside = suggestInside(context, rules, file, reference, resolution);
    const branch =
      inside === null && resolution.rule === 'outside-repository' ? branchOf(file, reference) : null;
    if (branch !== null) {
      return verdict(
        'unchecked',
        `On the repository’s host the link leads to the branch ${branch}, if there is one.`,
      );
    }
    return { ...toVerdict(resolution), ...inside };
  }
  const { anchor, candidates, unless } = resolution;
  if (unless !== undefined && context.withoutGenerators !== true) return toVerdict(unless);
  const [path, located] = locate(context, candidates);
  const missing = checkPath(context, rules, { file, reference, resolution, path, located });
  const warning = resolution.warning ?? null;
  if (missing !== null) return { ...missing, warning: missing.warning ?? warning, anchor, destination: path };

  const found = foundTarget(context, rules, path, located);
  const target = found.file;
  const resolved =
    target === null
      ? null
      : { path: target, type: rules.isPage(target) ? ('page' as const) : ('file' as const) };
  const base = { resolved, anchor, destination: path };
  const access = rules.checkAccess?.(found, file, reference) ?? null;
  if (access !== null && access.status !== 'ok') {
    return { ...withRename(context, resolution, path, toVerdict(access)), ...base };
  }
  const checked = checkAnchor(context, rules, { file, reference, resolution, found });
  return {
    ...checked,
    warning: checked.warning ?? access?.warning ?? warning,
    suggestion: checked.suggestion ?? access?.suggestion ?? null,
    ...base,
  };
}

/** Whether a link is `[]()` alone: a picture without a text would make it longer. */
function isWithoutText({ kind, target, text, line, column, endLine, endColumn }: Reference): boolean {
  const isEmpty = kind === 'link' && target.trim() === '' && text.trim() === '';
  return isEmpty && line === endLine && endColumn - column <= '[ ]( )'.length;
}

/** The page of the repository that a fragment names by its path, as programs do that show all pages at one address. */
function pageOfRoute({ index }: LinkContext, fragment: string): RepoPath | null {
  const path = /^!?\/?((?:[\w-]+\/)+[\w.-]+)$/.exec(fragment)?.[1];
  return path !== undefined && index.entry(`${path}.md`) !== undefined ? `${path}.md` : null;
}

/** The branch to which a path leads that leaves the repository by one level, from a README on the repository's host. */
function branchOf(file: RepoPath, { target }: Reference): string | null {
  if (!isReadme(file)) return null;
  const [, up = '', branch = null] = /^\s*((?:\.{1,2}\/)+)([\w-][\w.-]*)\/[^\s/]/.exec(target) ?? [];
  const levels = up.split('/').filter((name) => name === '..').length;
  return levels === file.split('/').length ? branch : null;
}

/** Suggests the file that a path out of the repository leads to with one `../` less. */
function suggestInside(
  context: LinkContext,
  rules: LinkRules,
  file: RepoPath,
  reference: Reference,
  { rule }: LinkVerdict,
): Pick<Verdict, 'message' | 'suggestion'> | null {
  const inside = reference.target.replace(/^(\s*(?:\.\/)*)\.\.\//, '$1');
  if (rule !== 'outside-repository' || inside === reference.target) return null;
  const resolution = rules.resolve(file, { ...reference, target: inside });
  if (resolution.kind === 'verdict' || resolution.unless !== undefined) return null;
  const [, located] = locate(context, resolution.candidates);
  const suggestion = inside.trim();
  const isThere = located.kind === 'file' || located.kind === 'folder';
  if (!isThere || !isValidSuggestion(context, rules, { file, reference, suggestion, withAnchor: true }))
    return null;
  return { message: 'The path leaves the repository: it has one `../` too many.', suggestion };
}

/** Suggests the new path of a folder's page when the folder exists and its page was renamed. */
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

/** Returns the first candidate that exists, else the first one that is not simply missing, else the first one. */
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

/** Returns a verdict that the path alone decides; null when the target exists and its anchor must be checked. */
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
  if (located.kind === 'symlink') {
    const made = explainMadeTarget(context, rules, { file, reference, resolution, located });
    return made ?? checkSymlink(path, located.reason);
  }
  if (located.kind === 'file' && resolution.wantsFolder) {
    // Hosts differ: some drop the slash, others expect a folder.
    return verdict('unchecked', `${show(path)} is a file, and the slash at the end asks for a folder.`);
  }
  if (located.kind !== 'none') return null;
  const own = rules.explainMissing?.(resolution, file, reference) ?? null;
  const isGuess = own?.mayBeGenerated === true && context.withoutGenerators === true;
  if (own !== null && !isGuess) return toVerdict(own);
  // What a destination looks like says nothing where it led to a file before.
  const example = context.withoutGenerators === true ? null : explainExample(context, file, reference);
  if (example !== null) return example;
  const source = { file, reference };
  const isReached = (suggestion: string) =>
    isValidSuggestion(context, rules, { ...source, suggestion, withAnchor: true });
  const { rule, message, suggestion, isRenamed } = suggestPath(context, rules, resolution, path, isReached);
  const isRight =
    isRenamed === true || suggestion === null || isValidSuggestion(context, rules, { ...source, suggestion });
  return broken(rule, message, isRight ? suggestion : null);
}

/** The verdict on a missing target that is no path of the repository, or only an example, by how it is written. */
function explainExample(context: LinkContext, file: RepoPath, reference: Reference): Verdict | null {
  const elsewhere = explainElsewhere(reference.target);
  if (elsewhere !== null) return toVerdict(elsewhere);
  if (isExample(context, file, reference)) {
    return verdict(
      'unchecked',
      'The page shows the link as code, too, as an example of how links are written.',
    );
  }
  const target = reference.target.trim();
  if (EXPLAINS_MARKDOWN.test(file) && SAMPLE_NAME.test(target)) {
    const message = `${file} is about how pages are written, and ${target} seems to be an example.`;
    return verdict('unchecked', message);
  }
  if (!INSTRUCTS_AGENTS.test(file)) return null;
  const [fromTop = ''] = target.split(/[?#]/, 1);
  if (context.index.entry(fromTop) !== undefined) {
    return verdict('unchecked', `${file} is written for agents, which may read ${fromTop} from the top.`);
  }
  if (!SAMPLE_NAME.test(target) && !SITE_ADDRESS.test(target)) return null;
  return verdict(
    'unchecked',
    `${file} is written for agents, and ${target} seems to be an example of what they write.`,
  );
}

/** A page that explains how pages are written, by its name. */
const EXPLAINS_MARKDOWN =
  /(?:^|[/_-])(?:markdown|style[-_]?guide|writing|syntax|formatting|authoring|cheat[-_]?sheet)[^/]*$/i;

/** The name of a file that is there in no repository, as examples have it: `file.md`, `other-page.md#heading`, `image.png`. */
const SAMPLE_NAME =
  /^(?:\.{0,2}\/){0,6}(?:(?:path|folder|dir|directory|docs?|images?|img|assets)\/){0,3}(?:(?:other|another|some|my|new|example|sample|test)[-_]?)?(?:file|filename|page|article|doc|document|image|img|picture|photo|logo|screenshot|diagram|example|sample|foo|bar)(?:[-_]?\d)?(?:\.(?:mdx?|html?|png|jpe?g|gif|svg|webp|pdf|mp4))?(?:#[\w-]{0,100})?$/i;

/** A file that tells coding agents what to write, by the names under which their programs look for it. */
const INSTRUCTS_AGENTS =
  /^\.github\/(?:agents|prompts|instructions|chatmodes|skills)\/|(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|SKILL|copilot-instructions)\.md$|\.(?:agent|prompt|instructions|chatmode)\.md$/;

/** An address of a page of a site, which has headings but no file's extension: no file that such an instruction refers to. */
const SITE_ADDRESS = /^(?:\.{0,2}\/){0,10}[\w-]{1,100}(?:\/[\w-]{1,100}){0,20}\/?#./;

function isExample({ index, factsOf }: LinkContext, file: RepoPath, { target }: Reference): boolean {
  const entry = index.entry(file);
  return entry !== undefined && factsOf(entry)?.examples?.includes(target) === true;
}

/** Whether readers can reach a suggested destination by the format's rules. */
function isValidSuggestion(
  context: LinkContext,
  rules: LinkRules,
  candidate: {
    readonly file: RepoPath;
    readonly reference: Reference;
    readonly suggestion: string;
    /** True when the heading must exist, too. */
    readonly withAnchor?: boolean;
  },
): boolean {
  const reference = { ...candidate.reference, target: candidate.suggestion };
  const resolution = rules.resolve(candidate.file, reference);
  if (resolution.kind === 'verdict') return resolution.status !== 'broken';
  if (resolution.unless !== undefined && context.withoutGenerators !== true) return true;
  const [path, located] = locate(context, resolution.candidates);
  if (located.kind !== 'file' && located.kind !== 'folder') return false;
  const found = foundTarget(context, rules, path, located);
  const access = rules.checkAccess?.(found, candidate.file, reference);
  // Whoever writes a link anew means a page that readers get to.
  const isUnlisted = (access?.rule ?? access?.warning?.rule) === 'unlisted-page';
  if (access?.status !== 'broken' && !isUnlisted) {
    const whole = { file: candidate.file, reference, resolution, found };
    return candidate.withAnchor !== true || checkAnchor(context, rules, whole).status !== 'broken';
  }
  // A page that a table of contents names becomes listed by that.
  const source = context.index.entry(candidate.file);
  const isContents = source !== undefined && (context.factsOf(source)?.contents ?? null) !== null;
  return isUnlisted && isContents;
}

/** The verdict on a symbolic link to what only a build makes, as to a package that it installs; null for every other. */
function explainMadeTarget(
  context: LinkContext,
  rules: LinkRules,
  { file, reference, resolution, located }: CheckedReference & { readonly located: LocatedPath },
): Verdict | null {
  const isDangling = located.kind === 'symlink' && located.reason === 'dangling';
  const leadsTo = isDangling ? located.leadsTo : null;
  if (leadsTo === null || context.withoutGenerators === true) return null;
  const made = rules.explainMissing?.({ ...resolution, candidates: [leadsTo] }, file, reference) ?? null;
  return made?.status === 'unchecked' ? toVerdict(made) : null;
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
  { file, reference, resolution, found }: CheckedReference & { readonly found: FoundTarget },
): Verdict {
  const { anchor } = resolution;
  const entry = found.file === null ? undefined : context.index.entry(found.file);
  if (anchor === null || entry === undefined || !rules.isPage(entry.path)) return verdict('ok', null);
  if (found.isFolder && !rules.anchorsOfFolder(found.candidate)) return verdict('ok', null);
  const facts = context.factsOf(entry);
  const unread = () => verdict('unchecked', `The headings of ${show(entry.path)} were not read.`);
  if (facts === undefined) return unread();
  const checked = rules.checkAnchor({ anchor, page: entry.path, facts, file, reference });
  const isGuess = checked.status === 'unchecked' && context.withoutGenerators === true;
  const knownNames = isGuess ? checked.knownNames : undefined;
  if (checked.status === 'unchecked' && knownNames === undefined)
    return verdict('unchecked', checked.message);
  if (checked.status === 'ok') {
    const better = checked.better === undefined ? null : resolution.writeAnchor(checked.better);
    return { ...verdict('ok', null), warning: checked.warning ?? null, suggestion: better };
  }
  if (!facts.complete) return unread();
  // Where a heading was there before, its name is no fragment of another kind.
  const other =
    context.withoutGenerators === true ? null : explainFragment(context, anchor, entry.path, reference);
  if (other !== null) return verdict('unchecked', other);
  const names = checked.status === 'broken' ? checked.names : (knownNames ?? []);
  const similar =
    findSimilarAnchor(anchor, names, context.budget) ??
    findNamedHeading(anchor, facts.anchors, context.budget);
  const suggestion = similar === null ? null : resolution.writeAnchor(similar);
  const where = entry.path === file ? 'This page' : show(entry.path);
  return broken(
    'missing-anchor',
    (checked.status === 'broken' ? checked.message : undefined) ??
      `${where} has no heading or id “${anchor}”.`,
    suggestion,
  );
}

/** Why a fragment may be something other than the name of a part of `page`, by how it is written; null when it is not. */
function explainFragment(
  context: LinkContext,
  anchor: string,
  page: RepoPath,
  { target, text }: Reference,
): string | null {
  if (isSetting(anchor)) return `“#${anchor}” is for a script of ${show(page)}.`;
  if (isContribution(anchor, text))
    return `“#${anchor}” says what somebody contributed, in a list that a bot writes.`;
  if (isNixOption(anchor)) return `“#${anchor}” names an option, which a build lists.`;
  if (!target.startsWith('#')) return null;
  if (target === '##') return 'It leads nowhere on purpose: the link only has a text that a pointer shows.';
  if (isRoute(anchor)) return `“#${anchor}” may be an address within a program that shows the pages.`;
  const route = pageOfRoute(context, anchor);
  return route === null
    ? null
    : `“#${anchor}” may be the address of ${route} for a script that shows the pages.`;
}

const NOTHING = {
  rule: null,
  suggestion: null,
  warning: null as Warning | null,
  resolved: null,
  anchor: null,
  destination: null,
};

function toVerdict({ kind: _kind, mayBeGenerated: _guess, ...verdict }: LinkVerdict): Verdict {
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
