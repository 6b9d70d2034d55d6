import type { PathResolution } from '../../format-port/index.ts';
import type { ParsedTarget } from '../../links/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import { folderOf, isInside, isPageFile, pathInside, relativePath } from '../../tree/index.ts';
import { isFilePath, isPicture, publishedAt } from './vitepress-candidates.ts';
import type { VitepressPages } from './vitepress-context.ts';

/**
 * Completes a resolution so that suggestions have the author's style: rooted or relative, with `.md`, `.html` or no
 * extension.
 */
export function routeResolution(
  known: VitepressPages,
  parsed: ParsedTarget,
  resolution: PathResolution,
  file: RepoPath,
  reference: Reference,
): PathResolution {
  const { site, pages } = known;
  const { writtenPath } = parsed;
  return {
    ...resolution,
    wantsFolder: false,
    unencoded: [],
    expects: isPicture(reference) || isFilePath(writtenPath) ? 'file' : 'page',
    write(path, { tail = parsed.writtenTail } = {}) {
      if (!isInside(path, site.source)) return null;
      if (!isPageFile(path)) {
        if (isInside(path, site.publicFolder))
          return site.knowsPublicFolder ? `/${pathInside(path, site.publicFolder)}${tail}` : null;
        return writtenPath.startsWith('/') ? null : resolution.write(path, { tail });
      }
      if (!pages.has(path)) return null;
      const published = publishedAt(known, path);
      const shown = shownAs(published, writtenPath);
      const rooted = pathInside(shown === site.source ? `${shown}/` : shown, site.source);
      if (reference.kind === 'html-link' && writtenPath.startsWith('/'))
        return site.base === null ? null : `${site.base}${rooted}${tail}`;
      if (writtenPath.startsWith('/')) return `/${rooted}${tail}`;
      if (reference.kind === 'config' || (reference.kind === 'front-matter' && !writtenPath.startsWith('.')))
        return `${rooted}${tail}`;
      const relative = relativePath(publishedAt(known, file), shown === '' ? folderOf(published) : shown);
      return `${writtenPath.startsWith('./') && !relative.startsWith('.') ? './' : ''}${relative}${tail}`;
    },
  };
}

function shownAs(published: RepoPath, writtenPath: string): string {
  const ending = /\.(?:html|md)$/.exec(writtenPath)?.[0] ?? '';
  return ending === ''
    ? published.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')
    : published.replace(/\.md$/, ending);
}
