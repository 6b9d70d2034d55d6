import type { RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { resolvePath } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';

const EXTENSIONS = ['ts', 'js', 'mts', 'mjs'];

/** Modules of one configuration beyond this number are not read. */
const MAX_MODULES = 30;

const IMPORT = /\bfrom\s*['"](\.{1,2}\/[^'"\n]{1,200})['"]/g;

/**
 * Whether a plugin of the project's own, which a `vite.config` beside the site imports, transforms Markdown before
 * VitePress reads it: then pages may have headings that no file shows.
 */
export function rewritesPages(
  { index, text }: Pick<RepositoryFiles, 'index' | 'text'>,
  folders: readonly RepoPath[],
): boolean {
  const configs = folders.flatMap((folder) =>
    ['.vitepress/vite.config', 'vite.config'].flatMap((name) =>
      EXTENSIONS.map((extension) => joinPath(folder, `${name}.${extension}`)),
    ),
  );
  return [...new Set(configs)].some((config) => {
    if (index.entry(config) === undefined) return false;
    const own = text(config) ?? '';
    const modules = [...own.matchAll(IMPORT)]
      .slice(0, MAX_MODULES)
      .flatMap(([, target = '']) => moduleAt(config, target).find((path) => index.entry(path)) ?? []);
    return [own, ...modules.map((path) => text(path) ?? '')].some(transformsMarkdown);
  });
}

function moduleAt(from: RepoPath, target: string): readonly RepoPath[] {
  const found = resolvePath(from, target);
  if (!found.inside) return [];
  const stem = found.path.replace(/\.[mc]?[jt]s$/, '');
  return EXTENSIONS.flatMap((extension) => [`${stem}.${extension}`, `${stem}/index.${extension}`]);
}

function transformsMarkdown(code: string): boolean {
  return /\btransform\s*[(:]/.test(code) && /\.md\b/.test(code);
}
