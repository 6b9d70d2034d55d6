import { readingOfMarkdown } from '../../facts/index.ts';
import type { FilesRead, Format, Publication, SpaceInput } from '../../format-port/index.ts';
import type { FileFacts, Reference, RepoPath, TreeEntry } from '../../model/index.ts';
import { type PageFile, pageFilesOf } from '../../pages/index.ts';
import {
  folderOf,
  isInside,
  isLeftOut,
  isPageFile,
  isSourceOfSpace,
  pathInside,
  resolvePath,
} from '../../tree/index.ts';
import { githubRules } from '../github/github-rules.ts';
import { leftOutRules } from '../left-out-rules.ts';
import { inferSpaces } from './app-address.ts';
import { detectGitbook, GITBOOK_FILE } from './detect-gitbook.ts';
import { readVariables, unknownVariables } from './expressions.ts';
import { PICTURE } from './gitbook-access.ts';
import {
  GITBOOK_CONFIG_FILE,
  type GitbookSpaceConfig,
  joinFolder,
  readSpaceConfig,
} from './gitbook-config.ts';
import { redirectReading, redirectRules } from './gitbook-config-links.ts';
import {
  navigationOf,
  type PossiblePages,
  type PublishedSpace,
  patchSpace,
  publishSpace,
} from './gitbook-pages.ts';
import { gitbookContentsReading, gitbookReading } from './gitbook-reading.ts';
import { gitbookRules } from './gitbook-rules.ts';
import { changesBetween, type Published } from './published-changes.ts';
import { settingsOf } from './space-settings.ts';

/** Includes may show other includes; deeper nesting is treated as a circle. */
const MAX_INCLUDES = 5;

/** Repositories that GitBook syncs with: `SUMMARY.md`, `.gitbook.yaml`, blocks between `{%` and `%}`. */
export const gitbookFormat: Format = {
  detect: detectGitbook,
  open(space) {
    const config = readSpaceConfig(space, space.directory);
    const siblings = space.siblings.map((directory) => readSpaceConfig(space, directory));
    const includes = space.tree.filter((entry) => isInclude(entry, config.root));
    const pages = space.entries.filter(isSourceOfSpace);
    const all = [config, ...siblings];
    const variablesFile = joinFolder(config.root, '.gitbook/vars.yaml');
    const variablesYaml = space.yaml(variablesFile);
    const variables = readVariables(variablesYaml);
    const settings = space.index.entry(joinFolder(space.directory, GITBOOK_CONFIG_FILE));
    const isCertain = space.tree.some(({ path }) => GITBOOK_FILE.test(path));
    const copiesFiles = isBuiltByHonkit(space);
    const hasRedirects =
      settings !== undefined && /^[ \t]*["']?redirects\b/m.test(space.text(settings.path) ?? '');
    return {
      sources: [...(hasRedirects ? [settings] : []), ...pages, ...includes],
      problems: config.problems,
      problemsIn: (path, facts) =>
        unknownVariables(facts, {
          known: variables,
          file: variablesFile,
          isInclude: isInside(path, joinFolder(config.root, '.gitbook/includes')),
        }),
      signature: `${hasRedirects} ${isCertain} ${copiesFiles} ${signatureOf(all)}`,
      shapedBy: (path, { contents, references }) => [
        all.some((candidate) => path === candidate.summary) ? contents : null,
        references.flatMap(({ target }) => (isAppTarget(target) ? [target] : [])),
      ],
      readingOf(path) {
        if (path === settings?.path) return redirectReading;
        if (!isPageFile(path)) return null;
        if (all.some((candidate) => path === candidate.summary)) return gitbookContentsReading;
        const isOurs = all.some((candidate) => isInside(path, candidate.root));
        return isOurs && !/\.markdown$/i.test(path) ? gitbookReading : readingOfMarkdown(path);
      },
      settings: (files) => settingsOf(config, { files, includes, variables: variablesYaml }),
      publish: (files) =>
        publish(space, config, siblings, { files, pages, includes, isCertain, copiesFiles }),
    };
  },
};

interface Sources {
  readonly files: FilesRead;
  readonly pages: readonly TreeEntry[];
  readonly includes: readonly TreeEntry[];
  /** Whether a file that only GitBook reads shows that it publishes the space. */
  readonly isCertain: boolean;
  readonly copiesFiles: boolean;
}

/** Whether the settings are those of HonKit or GitBook’s older program, and no file is GitBook’s own. */
function isBuiltByHonkit({ tree, index, directory }: SpaceInput): boolean {
  const hasSettings = ['book.json', 'book.js'].some(
    (name) => index.entry(joinFolder(directory, name)) !== undefined,
  );
  return hasSettings && !tree.some(({ path }) => /(?:^|\/)\.gitbook(?:\/|\.yaml$)/.test(path));
}

/** Equal for two trees whose configurations have the same effect. */
function signatureOf(configs: readonly GitbookSpaceConfig[]): string {
  return JSON.stringify(configs.map((config) => ({ ...config, redirects: [...config.redirects] })));
}

const publications = new WeakMap<Publication, Published>();

function publish(
  space: SpaceInput,
  config: GitbookSpaceConfig,
  siblingConfigs: readonly GitbookSpaceConfig[],
  { files, pages, includes, isCertain, copiesFiles }: Sources,
): Publication {
  const isPage = (path: RepoPath) =>
    isInside(path, config.root) && /\.md$/i.test(path) && path !== config.summary;
  const named = ownPages(space, files, isPage);
  const used = { siblings: false, inferred: false };
  const own = publishConfigured(config, files, named);
  const publishSiblings = once(() =>
    siblingConfigs.map((config) => publishConfigured(config, files, pagesByName(space, config))),
  );
  const siblings = () => {
    used.siblings = true;
    return publishSiblings();
  };
  const infer = once(() =>
    inferSpaces(appTargets(files, [...pages, ...includes]), [...siblings(), own], space.index),
  );
  const inferred = () => {
    used.inferred = true;
    return infer();
  };
  const github = githubRules(space.tree, space.repository);
  const context = {
    index: space.index,
    repository: space.repository,
    space: own,
    siblings,
    inferred,
    containsOnlyPages: pageFolders(space),
    factsOfPage: (page: RepoPath, facts: FileFacts) => withIncludes(page, facts, files, config.root),
    isCertain,
    copiesFiles,
    github,
  };
  const published = gitbookRules(context, true);
  const unpublished = gitbookRules(context, false);
  const outside = leftOutRules(space);
  const redirects = redirectRules(config, published);
  const included = new Set(includes.map((entry) => entry.path));
  const publication: Publication = {
    get pages() {
      const read = pageFilesOf(space.entries, files, isPage);
      return navigationOf(config, files.facts(config.summary)?.contents ?? [], {
        at: (path) => read.get(path) ?? null,
        all: () => [...read.values()],
      });
    },
    get assets() {
      return space.tree
        .filter((entry) => isAsset(entry, space, isPage, config))
        .map(({ path, oid, size }) => ({ path, oid, size: size ?? null }));
    },
    rulesOf(file) {
      if (file === joinFolder(space.directory, GITBOOK_CONFIG_FILE)) return redirects;
      if (own.listed.has(file) || file === config.summary || included.has(file)) return published;
      return isInside(file, config.root) ? unpublished : outside;
    },
    skips: isSelfLink,
    changesSince(previous) {
      const before = publications.get(previous);
      return before === undefined ? null : changesBetween(before, { own, siblings, used });
    },
  };
  publications.set(publication, { own, siblings, used });
  return publication;
}

/** What a space publishes; reused while its table of contents and the files that it names stay the same. */
function publishConfigured(
  config: GitbookSpaceConfig,
  files: FilesRead,
  pages: PossiblePages,
): PublishedSpace {
  const contents = () => files.facts(config.summary)?.contents ?? [];
  // Without a table of contents every file counts.
  if (contents().length === 0) return publishSpace(config, [], pages);
  return files.remember(
    `gitbook ${signatureOf([config])}`,
    (isReused) => publishSpace(config, contents(), pages, isReused),
    (space, touched) => patchSpace(space, touched, pages),
  );
}

/** The space's own files that may be pages, by their names alone: their texts are not needed. */
function ownPages(
  { directory, siblings, entries }: SpaceInput,
  files: FilesRead,
  isPage: (path: RepoPath) => boolean,
): PossiblePages {
  const inner = siblings.filter((sibling) => isInside(sibling, directory));
  const isOwn = (path: RepoPath) =>
    isInside(path, directory) &&
    !isLeftOut(pathInside(path, directory)) &&
    !inner.some((candidate) => isInside(path, candidate));
  const at = (path: RepoPath): PageFile | null => {
    // Whether there is a file at all costs least: a table of contents may list a hundred thousand that are not there.
    const shown = isPage(path) ? files.file(path) : null;
    if (shown === null || !isPage(shown.path) || !isOwn(path)) return null;
    return { path, oid: shown.oid, facts: undefined };
  };
  return { at, all: () => entries.flatMap(({ path }) => at(path) ?? []) };
}

/**
 * Finds folders that contain pages and pictures only; a folder with other files may be meant for people on the
 * repository's host.
 */
function pageFolders({ entries }: SpaceInput): (folder: RepoPath) => boolean {
  const sort = once(() => {
    const [withPages, withFiles] = [new Set<RepoPath>(), new Set<RepoPath>()];
    for (const { path } of entries) {
      const folders = isPageFile(path) ? withPages : PICTURE.test(path) ? null : withFiles;
      if (folders === null) continue;
      for (let folder = folderOf(path); folder !== '' && !folders.has(folder); folder = folderOf(folder))
        folders.add(folder);
    }
    return { withPages, withFiles };
  });
  return (folder) => sort().withPages.has(folder) && !sort().withFiles.has(folder);
}

/** The pages of another space, by name alone. */
function pagesByName({ tree, index }: SpaceInput, { root, summary }: GitbookSpaceConfig): PossiblePages {
  const at = (path: RepoPath): PageFile | null => {
    if (!isInside(path, root) || !/\.md$/i.test(path) || path === summary) return null;
    const entry = isLeftOut(pathInside(path, root)) ? undefined : index.entry(path);
    return entry === undefined ? null : { path, oid: entry.oid, facts: undefined };
  };
  return { at, all: () => tree.flatMap(({ path }) => at(path) ?? []) };
}

/** In `## Title <a href="#x" id="x"></a>` the link only names the heading; nobody can click it. */
function isSelfLink(_file: RepoPath, { kind, target, text }: Reference): boolean {
  return kind === 'html-link' && text === '' && target.startsWith('#');
}

function* appTargets(files: FilesRead, sources: readonly TreeEntry[]): Iterable<string> {
  for (const { path } of sources) {
    for (const { target } of files.facts(path)?.references ?? []) {
      if (isAppTarget(target)) yield target;
    }
  }
}

function isAppTarget(target: string): boolean {
  return target.includes('app.gitbook.com/');
}

/** A page's facts and those of the includes that it shows. */
function withIncludes(
  page: RepoPath,
  facts: FileFacts,
  files: FilesRead,
  root: RepoPath,
): readonly FileFacts[] {
  const all = [facts];
  const seen = new Set([page]);
  let level = [{ path: page, facts }];
  for (let depth = 0; depth < MAX_INCLUDES && level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const { path, facts: including } of level) {
      for (const target of includesOf(including)) {
        // HonKit and the GitBook of old read what begins with a slash from the root of the book.
        const resolution = target.startsWith('/')
          ? resolvePath(joinFolder(root, 'x'), target.slice(1))
          : resolvePath(path, target);
        if (!resolution.inside || seen.has(resolution.path)) continue;
        seen.add(resolution.path);
        const included = files.facts(resolution.path);
        if (included === undefined) continue;
        all.push(included);
        next.push({ path: resolution.path, facts: included });
      }
    }
    level = next;
  }
  return all;
}

const includes = new WeakMap<FileFacts, readonly string[]>();

function includesOf(facts: FileFacts): readonly string[] {
  let targets = includes.get(facts);
  if (targets === undefined) {
    targets = facts.references.flatMap(({ kind, carrier, target }) =>
      kind === 'block' && carrier === 'include' ? [target] : [],
    );
    includes.set(facts, targets);
  }
  return targets;
}

function isInclude({ path, mode }: TreeEntry, root: RepoPath): boolean {
  return (
    mode !== 'symlink' &&
    mode !== 'submodule' &&
    isInside(path, joinFolder(root, '.gitbook/includes')) &&
    /\.md$/i.test(path)
  );
}

function isAsset(
  { path, mode }: TreeEntry,
  space: SpaceInput,
  isPage: (path: RepoPath) => boolean,
  { root, summary }: GitbookSpaceConfig,
): boolean {
  if (mode === 'submodule' || !isInside(path, root) || path === summary) return false;
  if (space.siblings.some((sibling) => isInside(path, sibling) && !isInside(space.directory, sibling)))
    return false;
  if (isInside(path, joinFolder(root, '.gitbook/assets'))) return true;
  return !isLeftOut(pathInside(path, root)) && !isPage(path);
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
