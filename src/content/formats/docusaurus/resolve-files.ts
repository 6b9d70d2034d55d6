import { type LinkResolution, linkVerdict } from '../../format-port/index.ts';
import { type ParsedTarget, resolvePaths } from '../../links/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf, resolvePath } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import type { DocusaurusPages } from './docusaurus-context.ts';
import { differsInVersion } from './docusaurus-pages.ts';
import type { SiteRoutes } from './site-routes.ts';
import { PAGE, type TargetKind } from './target-kind.ts';

/** Modules and parts may leave their extension out. */
export function withExtensions(path: RepoPath, manner: TargetKind): readonly RepoPath[] {
  if (manner !== 'import') return [path];
  const endings = [
    '',
    '.js',
    '.jsx',
    '.ts',
    '.tsx',
    '.mjs',
    '.mdx',
    '.md',
    '.json',
    '/index.js',
    '/index.jsx',
    '/index.ts',
    '/index.tsx',
  ];
  return endings.map((ending) => path + ending);
}

/** Where the builder looks for a Markdown file: what is published there first. */
export function markdownFilesOf(
  { routes, pageOf }: DocusaurusPages,
  file: RepoPath,
  path: string,
): readonly RepoPath[] {
  const root = pageOf.get(file)?.root ?? routes.rootAt(file);
  const folders = [
    ...(/^\.\.?\//.test(path) ? [] : [...(root?.folders ?? []), routes.site.folder]),
    ...(path.startsWith('/') ? [] : [folderOf(file)]),
    // A translation takes the place of the page with the same path.
    ...(root !== null && root?.locale !== null && !path.startsWith('/')
      ? [untranslatedFolder(root, file)]
      : []),
  ];
  const found = folders.flatMap((folder) => {
    const resolved = resolvePath(joinPath(folder, 'x'), path.replace(/^\/+/, ''));
    return resolved.inside ? [resolved.path] : [];
  });
  const published = found.filter((candidate) => pageOf.has(candidate));
  const others = found.filter((candidate) => !pageOf.has(candidate));
  return [...published, ...others.reverse()];
}

function untranslatedFolder(root: NonNullable<ReturnType<SiteRoutes['rootAt']>>, file: RepoPath): RepoPath {
  const own = root.folders.at(-1) ?? root.folder;
  return folderOf(own + file.slice(root.folder.length));
}

/** A link to one of some files, whose suggestions begin where the author's path does. */
export function resolveToFiles(
  known: DocusaurusPages,
  file: RepoPath,
  parsed: ParsedTarget,
  files: readonly RepoPath[],
): LinkResolution {
  const [first, ...rest] = files;
  if (first === undefined)
    return linkVerdict('broken', 'The path leaves the repository.', { rule: 'outside-repository' });
  const resolution = resolvePaths(file, parsed, [first, ...rest]);
  const { site } = known.routes;
  return {
    ...resolution,
    wantsFolder: false,
    expects: PAGE.test(first) ? 'page' : 'file',
    write(path, options) {
      if (differsInVersion(known.pageOf.get(file)?.root, known.pageOf.get(path)?.root)) return null;
      const tail = options?.tail ?? parsed.writtenTail;
      const { writtenPath } = parsed;
      if (writtenPath.startsWith('@site/')) {
        return path.startsWith(joinPath(site.folder, ''))
          ? `@site/${path.slice(joinPath(site.folder, '').length)}${tail}`
          : null;
      }
      if (!writtenPath.startsWith('/')) return resolution.write(path, { tail });
      const folder = [...(known.pageOf.get(file)?.root.folders ?? []), ...site.staticFolders].find(
        (candidate) => path.startsWith(`${candidate}/`),
      );
      return folder === undefined ? null : path.slice(folder.length) + tail;
    },
  };
}
