import {
  type AnalysedSpace,
  brokenWithoutConventions,
  checkedFileIn,
  generatorOf,
  linkListsOf,
  type ReadBlobs,
  recheckWithoutGenerators,
  withLinks,
} from '../engine/index.ts';
import { namesSchemeOrHost } from '../links/index.ts';
import type {
  DetectedSpace,
  Link,
  Rename,
  RepoPath,
  SpaceAnalysis,
  TreeEntry,
  UnjudgedLinks,
} from '../model/index.ts';
import { decodeText } from '../text/index.ts';
import { folderOf, isInside, isPageFile, matchGitignore, pathInside, treeIndexOf } from '../tree/index.ts';

interface AnalysedTree<Space extends DetectedSpace> {
  readonly tree: readonly TreeEntry[];
  readonly read: ReadBlobs;
  readonly spaces: readonly AnalysedSpace<Space>[];
}

/**
 * Returns the spaces of the head with the links broken whose target the change took away: in the base they led to a file,
 * and in the head to nothing but what a generator of the site may make. It did not make the target in the base, so it does
 * not in the head, unless the change concerns what is generated.
 */
export async function breakLinksTakenAway<Space extends DetectedSpace>(
  base: AnalysedTree<Space>,
  head: AnalysedTree<Space>,
  renames: readonly Rename[],
): Promise<readonly AnalysedSpace<Space>[]> {
  const isReplaced = await findReplaced(base, head);
  const oldPath = new Map(renames.map(({ from, to }) => [to, from]));
  const [before, after] = [treeIndexOf(base.tree), treeIndexOf(head.tree)];
  const isChanged = (path: RepoPath) => before.entry(path)?.oid !== after.entry(path)?.oid;
  const olderLists = new Set(base.spaces.flatMap(({ analysis }) => linkListsOf(analysis)));
  const generators = new Map<SpaceAnalysis, string>();
  const hasSameGenerator = (one: SpaceAnalysis, another: SpaceAnalysis) => {
    for (const analysis of [one, another])
      if (!generators.has(analysis)) generators.set(analysis, generatorOf(analysis));
    return generators.get(one) === generators.get(another);
  };

  return head.spaces.map((part) => {
    const { analysis } = part;
    const replaced = new Map<Link, Link>();
    for (const list of linkListsOf(analysis)) {
      const isShared = olderLists.has(list);
      for (const link of list) {
        if (link.status !== 'unchecked' || (isShared && namesSchemeOrHost(link.target))) continue;
        const path = oldPath.get(link.file) ?? link.file;
        const older = base.spaces.find((space) => checkedFileIn(space.analysis, path) !== undefined);
        if (older === undefined) continue;
        const was = targetBefore(older.analysis, path, link, isShared);
        if (was === null || (isShared && !isChanged(was.resolved.path))) continue;
        const broken = was.wasCertain ? brokenWithoutConventions(link) : null;
        if (broken !== null && !isShared) {
          replaced.set(link, broken);
          continue;
        }
        if (isReplaced(was.resolved.path) || !hasSameGenerator(older.analysis, analysis)) continue;
        const now = recheckWithoutGenerators(analysis, link);
        if (now.status !== 'broken') continue;
        // A page that moves may lead elsewhere, unless it is still at the same page.
        const leadsToSame = path === link.file || now.resolved?.path === was.resolved.path;
        if (!leadsToSame && after.entry(was.resolved.path) !== undefined) continue;
        // A heading that was not known before may be missing in the head as it was in the base; its page was there.
        if (
          !was.wasCertain &&
          (now.rule === 'missing-anchor' || after.entry(was.resolved.path) !== undefined)
        )
          continue;
        if (now.rule === 'missing-anchor' && isOpenedAnew(was.resolved.path, older.analysis, now, analysis))
          continue;
        replaced.set(link, now);
      }
    }
    return replaced.size === 0 ? part : { ...part, analysis: withLinks(analysis, replaced) };
  });
}

/** Finds links into the repository that are unchecked in the head and were not in the base. */
export function findUnjudged(
  base: readonly AnalysedSpace[],
  head: readonly AnalysedSpace[],
  renames: readonly Rename[],
): UnjudgedLinks {
  const oldPath = new Map(renames.map(({ from, to }) => [to, from]));
  const olderLists = new Set(base.flatMap(({ analysis }) => linkListsOf(analysis)));
  const unjudged = head.flatMap(({ analysis }) =>
    linkListsOf(analysis).flatMap((list) => {
      if (olderLists.has(list)) return [];
      return list.filter((link) => {
        if (link.status !== 'unchecked' || namesSchemeOrHost(link.target)) return false;
        const path = oldPath.get(link.file) ?? link.file;
        return !base.some(({ analysis: older }) => uncheckedTargets(older, path).has(link.target));
      });
    }),
  );
  return { count: unjudged.length, example: unjudged[0] ?? null };
}

interface LinkToFile extends Link {
  readonly resolved: NonNullable<Link['resolved']>;
  /** False when the page was there, and only a generator of the site may make the heading. */
  readonly wasCertain: boolean;
}

/**
 * Returns the link as it was in the base, if it led to a file there: also one whose address only the site's unknown base
 * left unchecked. Null otherwise. `isShared` is true when its verdict is the same in both trees.
 */
function targetBefore(
  analysis: SpaceAnalysis,
  path: RepoPath,
  link: Link,
  isShared: boolean,
): LinkToFile | null {
  const was = isShared ? link : linksByKey(analysis, path).get(keyOf(link));
  if (was === undefined) return null;
  const known =
    was.status === 'unchecked' && !namesSchemeOrHost(was.target)
      ? recheckWithoutGenerators(analysis, was)
      : was;
  if (known.resolved === null) return null;
  const lacksHeading =
    known.anchor !== null && (known.status === 'unchecked' || known.rule === 'missing-anchor');
  if (known.status !== 'ok' && !lacksHeading) return null;
  return { ...known, resolved: known.resolved, wasCertain: known.status === 'ok' };
}

/** The links of a file by kind and target, the first of equal ones. */
const linksByKey = indexOfLinks<ReadonlyMap<string, Link>>(
  (links) => new Map(links.toReversed().map((link) => [keyOf(link), link])),
);

const uncheckedTargets = indexOfLinks<ReadonlySet<string>>(
  (links) => new Set(links.filter(({ status }) => status === 'unchecked').map(({ target }) => target)),
);

/** Indexes the links of a file once: it may have thousands, each of which is looked up. */
function indexOfLinks<Index>(
  index: (links: readonly Link[]) => Index,
): (analysis: SpaceAnalysis, path: RepoPath) => Index {
  const indexes = new WeakMap<readonly Link[], Index>();
  return (analysis, path) => {
    const links = checkedFileIn(analysis, path)?.links ?? [];
    const known = indexes.get(links) ?? index(links);
    indexes.set(links, known);
    return known;
  };
}

function keyOf({ kind, target }: Link): string {
  return `${kind} ${target}`;
}

/** Whether the change made a page show what may bring anchors: a component, an included file, a module. */
function isOpenedAnew(path: RepoPath, base: SpaceAnalysis, { resolved }: Link, head: SpaceAnalysis): boolean {
  const before = checkedFileIn(base, path)?.facts;
  const after = resolved === null ? undefined : checkedFileIn(head, resolved.path)?.facts;
  if (before === undefined || after === undefined) return false;
  if (before.opensAnchors !== true && after.opensAnchors === true) return true;
  const known = new Set(before.references.map(({ target }) => target));
  return after.references.some(
    ({ kind, target }) => (kind === 'block' || kind === 'import') && !known.has(target),
  );
}

/**
 * Returns whether the change seems to have something generated in the place of a file: it adds a source of the same name
 * that is no page, or has git ignore the file.
 */
async function findReplaced(
  base: Pick<AnalysedTree<DetectedSpace>, 'tree' | 'read'>,
  head: Pick<AnalysedTree<DetectedSpace>, 'tree' | 'read'>,
): Promise<(path: RepoPath) => boolean> {
  const [before, after] = [treeIndexOf(base.tree), treeIndexOf(head.tree)];
  const added = head.tree.filter(({ path }) => before.entry(path) === undefined);
  const sources = new Set(added.flatMap(({ path }) => (isText(path) ? [] : [stemOf(path)])));
  const newer = await readRules(head, (path) => before.entry(path)?.oid !== after.entry(path)?.oid);
  // A file that git ignored all the same was added by hand, and is not generated because another line is new.
  const older = await readRules(base, (path) => newer.has(path) && after.entry(path) !== undefined);
  const isIgnoredAnew = (path: RepoPath) =>
    [...newer].some(([source, ignores]) => ignores(path) && older.get(source)?.(path) !== true);
  return (path) =>
    after.entry(path) === undefined && ((isText(path) && sources.has(stemOf(path))) || isIgnoredAnew(path));
}

/** Reads the rules of the `.gitignore` files of a tree that `isWanted`. */
async function readRules(
  { tree, read }: Pick<AnalysedTree<DetectedSpace>, 'tree' | 'read'>,
  isWanted: (path: RepoPath) => boolean,
): Promise<ReadonlyMap<RepoPath, (path: RepoPath) => boolean>> {
  const wanted = tree.filter(({ path }) => /(?:^|\/)\.gitignore$/.test(path) && isWanted(path));
  const rules = new Map<RepoPath, (path: RepoPath) => boolean>();
  if (wanted.length === 0) return rules;
  const sources = Map.groupBy(wanted, ({ oid }) => oid);
  for await (const { oid, bytes } of read(wanted)) {
    const ignores = matchGitignore(decodeText(bytes).text ?? '');
    for (const { path: source } of sources.get(oid) ?? []) {
      const folder = folderOf(source);
      rules.set(source, (path) => isInside(path, folder) && ignores(pathInside(path, folder)));
    }
  }
  return rules;
}

function isText(path: RepoPath): boolean {
  return isPageFile(path) || /\.(?:mdx|mdoc|html?)$/i.test(path);
}

function stemOf(path: RepoPath): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
}
