import type { FileFacts, RepoPath } from '../../model.ts';
import { isInside } from '../../tree/page-files.ts';
import { resolvePath } from '../../tree/relative-path.ts';
import type { FilesRead } from '../format.ts';
import type { AnchorQuestion, AnchorVerdict } from '../link-rules.ts';
import { mkdocsHeadings } from './heading-ids.ts';
import type { MkdocsConfig } from './read-config.ts';

export interface Anchors {
  judge(question: AnchorQuestion): AnchorVerdict;
}

/** Included files may include others this deep. */
const MAX_DEPTH = 8;

interface PageAnchors {
  readonly names: ReadonlySet<string>;
  /** Names of Python objects, whose parts have anchors that only their source code knows. */
  readonly objects: readonly string[];
  readonly isOpen: boolean;
}

/** Judges fragments by what a page and the files that it includes hold. */
export function anchorsOfPages(config: MkdocsConfig, files: FilesRead): Anchors {
  const known = new Map<RepoPath, PageAnchors>();
  const anchorsOf = (page: RepoPath, facts: FileFacts) => {
    let anchors = known.get(page);
    if (anchors === undefined) {
      anchors = gather(page, facts, config, files);
      known.set(page, anchors);
    }
    return anchors;
  };
  return {
    judge({ anchor, page, facts }) {
      const { names, objects, isOpen } = anchorsOf(page, facts);
      if (anchor === '' || anchor === 'top' || names.has(anchor)) return { status: 'ok' };
      const footnote = /^(fn|fnref)\d*:(.+)$/.exec(anchor);
      if (footnote !== null && names.has(`${footnote[1]}-${footnote[2]?.toLowerCase()}`))
        return { status: 'ok' };
      if (anchor.startsWith('__')) return unchecked(`“${anchor}” is an anchor of the theme.`);
      if (isOpen)
        return unchecked(`${page} takes in text when it is built, so not all its anchors are known.`);
      if (objects.some((name) => anchor.startsWith(name.slice(0, name.indexOf('.') + 1)))) {
        return unchecked(`“${anchor}” may be in documentation that is made from source code.`);
      }
      if (config.headings.slugs === 'unknown') {
        return unchecked(`${config.file} names headings with a function that is not known.`);
      }
      return { status: 'broken', names: [...names].filter((name) => !/^fn(?:ref)?-/.test(name)) };
    },
  };
}

function unchecked(message: string): AnchorVerdict {
  return { status: 'unchecked', message };
}

function gather(page: RepoPath, facts: FileFacts, config: MkdocsConfig, files: FilesRead): PageAnchors {
  const names = new Set<string>();
  const objects: string[] = [];
  let isOpen = facts.opensAnchors === true;
  const visited = new Set<RepoPath>([page]);
  const add = (path: RepoPath, one: FileFacts, depth: number) => {
    const namer = mkdocsHeadings(config.headings)();
    const isBuilt = config.docsFolder !== null && isInside(path, config.docsFolder);
    for (const { name, heading, level } of one.anchors) {
      if (heading === null || isBuilt) names.add(name);
      else for (const own of namer.name(heading, level, []).names) names.add(own);
      if (heading === null && name.includes('.')) objects.push(name);
    }
    for (const reference of one.references) {
      if (reference.kind !== 'block' || reference.carrier !== 'include') continue;
      const included = includedFile(reference.target, config, files);
      const text = included === null ? undefined : files.facts(included);
      if (included === null || depth === MAX_DEPTH || text === undefined) {
        // Pictures and code have no headings.
        if (included === null || /\.(?:md|markdown|txt)$/i.test(included)) isOpen = true;
      } else if (!visited.has(included)) {
        visited.add(included);
        if (text.opensAnchors === true) isOpen = true;
        add(included, text, depth + 1);
      }
    }
  };
  add(page, facts, 0);
  return { names, objects, isOpen };
}

function includedFile(target: string, config: MkdocsConfig, files: FilesRead): RepoPath | null {
  const path = target.replace(/(?::-?\d*){1,3}$|:[\w-]+$/, '');
  for (const folder of config.snippetFolders ?? []) {
    const resolution = resolvePath(folder === '' ? 'x' : `${folder}/x`, path);
    const file = resolution.inside ? files.file(resolution.path) : null;
    if (file !== null) return file.path;
  }
  return null;
}
