import { type LinkResolution, linkVerdict } from '../../format-port/index.ts';
import { type ParsedTarget, resolvePaths } from '../../links/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf, resolvePath } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import type { DocusaurusPages } from './docusaurus-context.ts';
import { differsInVersion } from './docusaurus-pages.ts';
import type { SiteRoutes } from './site-routes.ts';
import { PAGE, type TargetKind } from './target-kind.ts';

/** The files that an import may lead to, since it may omit the extension; only the path itself for other links. */
export function withExtensions(path: RepoPath, kind: TargetKind): readonly RepoPath[] {
  if (kind !== 'import') return [path];
  const extensions = [
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
  return extensions.map((extension) => path + extension);
}

/** The files that the builder tries for a path of a Markdown file, published ones first. */
export function markdownFilesOf(
  { routes, pageOf }: DocusaurusPages,
  file: RepoPath,
  path: string,
): readonly RepoPath[] {
  const root = pageOf.get(file)?.root ?? routes.rootAt(file);
  const folders = [
    ...(/^\.\.?\//.test(path) ? [] : [...(root?.folders ?? []), routes.site.folder]),
    ...(path.startsWith('/') ? [] : [folderOf(file)]),
    // A translation replaces the page with the same path.
    ...(root !== null && root?.locale !== null && !path.startsWith('/')
      ? [untranslatedFolder(root, file)]
      : []),
  ];
  const found = folders.flatMap((folder) => {
    const resolved = resolvePath(joinPath(folder, 'x'), path.replace(/^\/+/, ''));
    return resolved.inside ? [resolved.path] : [];
  });
  const published = found.filter((candidate) => pageOf.has(candidate));
  const unpublished = found.filter((candidate) => !pageOf.has(candidate));
  return [...published, ...unpublished.reverse()];
}

function untranslatedFolder(root: NonNullable<ReturnType<SiteRoutes['rootAt']>>, file: RepoPath): RepoPath {
  const own = root.folders.at(-1) ?? root.folder;
  return folderOf(own + file.slice(root.folder.length));
}

/** Resolves a link to the first file that exists; suggestions are relative to the same folder as the author's path. */
export function resolveDocusaurusFiles(
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
