import type { AnchorQuery, AnchorVerdict, FilesRead } from '../../format-port/index.ts';
import type { FileFacts, RepoPath } from '../../model/index.ts';
import { githubHeadings } from '../../text/index.ts';
import { isInside, pathInside, resolvePath } from '../../tree/index.ts';
import { anchorsWithParts, type IncludedPart } from '../included-anchors.ts';
import { type FileLookup, PageMemo } from '../page-memo.ts';
import { mkdocsHeadings } from './heading-ids.ts';
import type { MkdocsConfig } from './mkdocs-config.ts';
import { isPartOfPages } from './page-parts.ts';
import { includedPath } from './resolve-include.ts';

export interface Anchors {
  check(query: AnchorQuery): AnchorVerdict;
}

interface PageAnchors {
  readonly names: ReadonlySet<string>;
  /** Names of Python objects; the anchors of their members are known only from their source code. */
  readonly objects: readonly string[];
  /** Whether the page may have further anchors, which are not known. */
  readonly isOpen: boolean;
}

/** Checks fragments against the anchors of a page and of the files that it includes. */
export function anchorsOfPages(config: MkdocsConfig, files: FilesRead): Anchors {
  const known = new PageMemo<PageAnchors>(files);
  const anchorsOf = (page: RepoPath, facts: FileFacts) =>
    known.get(page, facts, (lookup) => collectAnchors(page, facts, config, lookup));
  return {
    check({ anchor, page, facts, file }) {
      const { names, objects, isOpen } = anchorsOf(page, facts);
      if (anchor === '' || anchor === 'top' || names.has(anchor)) return { status: 'ok' };
      const footnote = /^(fn|fnref)\d*:(.+)$/.exec(anchor);
      if (footnote !== null && names.has(`${footnote[1]}-${footnote[2]?.toLowerCase()}`))
        return { status: 'ok' };
      if (anchor.startsWith('__')) return unchecked(`“${anchor}” is an anchor of the theme.`);
      if (config.headings.listsTags === true && anchor.startsWith('tag:'))
        return unchecked(`“${anchor}” is a tag, whose pages the plugin “tags” lists.`);
      if (isOpen)
        return unchecked(`${page} takes in text when it is built, so not all its anchors are known.`, names);
      if (objects.some((name) => anchor.startsWith(packageOf(name)))) {
        return unchecked(`“${anchor}” may be in documentation that is made from source code.`, names);
      }
      if (config.script?.writes(pathInside(page, config.docsFolder ?? '')) === true)
        return unchecked(`${config.script.path} writes ${page} anew when the site is built.`, names);
      const isTakenIn =
        isPartOfPages(page, config) || (config.pageParts === 'marks' && !Array.isArray(config.nav));
      if (file === page && isTakenIn)
        return unchecked(`Other pages may take in ${page}, and have “${anchor}” elsewhere.`, names);
      if (config.headings.slugs === 'unknown') {
        return unchecked(`${config.file} names headings with a function that is not known.`, names);
      }
      return { status: 'broken', names: [...names].filter((name) => !/^fn(?:ref)?-/.test(name)) };
    },
  };
}

/** The part of an object's name that all names of its package begin with: of `a.b.c` that is `a.`. */
function packageOf(name: string): string {
  const dot = name.indexOf('.');
  return dot === -1 ? `${name}.` : name.slice(0, dot + 1);
}

function unchecked(message: string, knownNames?: ReadonlySet<string>): AnchorVerdict {
  return { status: 'unchecked', message, ...(knownNames === undefined ? {} : { knownNames }) };
}

function collectAnchors(
  page: RepoPath,
  facts: FileFacts,
  config: MkdocsConfig,
  files: FileLookup,
): PageAnchors {
  const found = anchorsWithParts(page, facts, {
    headings: mkdocsHeadings(config.headings),
    headingsOf: (path) => (isBuilt(path, config) ? mkdocsHeadings(config.headings) : githubHeadings),
    partsOf: (_path, candidate) => partsOf(candidate, config, files),
  });
  // Pictures and code have no headings.
  const isUnread = found.unread.some((path) => path === '' || /\.(?:md|markdown|txt)$/i.test(path));
  return {
    names: new Set(found.anchors.map((anchor) => anchor.name)),
    objects: found.anchors.flatMap(({ name, heading }) => (heading === null ? [name] : [])),
    isOpen: isUnread || found.facts.some((candidate) => candidate.opensAnchors === true),
  };
}

/** Whether a file is read as a page of the site. */
function isBuilt(path: RepoPath, { docsFolder }: MkdocsConfig): boolean {
  return (docsFolder !== null && isInside(path, docsFolder)) || /\.txt$/i.test(path);
}

function partsOf(facts: FileFacts, config: MkdocsConfig, files: FileLookup): readonly IncludedPart[] {
  return facts.references.flatMap(({ kind, carrier, target, line }) => {
    if (kind !== 'block' || carrier !== 'include') return [];
    const path = includedFile(target, config, files);
    return [
      {
        line,
        path: path ?? '',
        facts: path === null ? undefined : files.facts(path),
        covers: linesOf(target),
      },
    ];
  });
}

/** Whether a snippet includes a line: all lines, or those of `:first` or `:first:last`. */
function linesOf(target: string): (line: number) => boolean {
  const [, first = '', last = ''] = /:(\d*)(?::(\d*))?$/.exec(target) ?? [];
  return (line) => line >= Number(first || 1) && line <= Number(last || Number.POSITIVE_INFINITY);
}

function includedFile(target: string, config: MkdocsConfig, files: FileLookup): RepoPath | null {
  const path = includedPath(target);
  for (const folder of config.snippetFolders ?? []) {
    const resolution = resolvePath(folder === '' ? 'x' : `${folder}/x`, path);
    const file = resolution.inside ? files.file(resolution.path) : null;
    if (file !== null) return file.path;
  }
  return null;
}
