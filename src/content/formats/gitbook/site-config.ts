import type { FoundSpace, RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf, resolvePath } from '../../tree/index.ts';
import { isRecord } from '../untyped-values.ts';
import { joinFolder, validYaml } from './gitbook-config.ts';

/** Names of the file that describes a whole site. */
export const SITE_FILES = ['docs.yaml', 'gitbook-docs.yaml'] as const;

/** Deepest nesting of sections that is read. GitBook nests groups in sections; more is a mistake or an attack. */
const MAX_DEPTH = 8;

/** The spaces for which the repository's site files name a folder; a space whose content is not in git has none. */
export function spacesOfSites(files: RepositoryFiles): readonly FoundSpace[] {
  const spaces = SITE_FILES.flatMap((name) => files.index.named(name)).flatMap((path) => {
    const value = validYaml(files.yaml(path));
    const site = isRecord(value) ? value['site'] : undefined;
    return isRecord(site) ? readNodes(site['structure'], { folder: folderOf(path), files }, null, 0) : [];
  });
  return spaces.map((space, position) => ({ ...space, position }));
}

interface SiteFile {
  readonly folder: RepoPath;
  readonly files: RepositoryFiles;
}

function readNodes(
  nodes: unknown,
  file: SiteFile,
  title: string | null,
  depth: number,
): readonly FoundSpace[] {
  if (!Array.isArray(nodes) || depth > MAX_DEPTH) return [];
  const directories = nodes.map((node) => directoryOf(node, file));
  const spaces = directories.filter((directory) => directory !== null).length;
  return nodes.flatMap((node, at): readonly FoundSpace[] => {
    if (!isRecord(node)) return [];
    const own = typeof node['title'] === 'string' ? node['title'].trim() : null;
    if (node['type'] !== 'space') return readNodes(node['children'], file, own ?? title, depth + 1);
    const directory = directories[at] ?? null;
    // Readers see the only space of a section under the section's title.
    return directory === null ? [] : [{ directory, title: spaces > 1 ? (own ?? title) : (title ?? own) }];
  });
}

/** The folder of a space; null for what is none, and where the repository does not have it. */
function directoryOf(node: unknown, { folder, files }: SiteFile): RepoPath | null {
  if (!isRecord(node) || node['type'] !== 'space') return null;
  const content = isRecord(node['content']) ? node['content'] : {};
  const directory = readDirectory(content['directory'], folder);
  return directory !== null && files.index.isFolder(directory) ? directory : null;
}

/** `./x` and `x` are below the site file's folder, `/x` below the root; a path that leads out is ignored. */
function readDirectory(value: unknown, folder: RepoPath): RepoPath | null {
  if (typeof value !== 'string' || value.split('/').includes('..')) return null;
  const resolution = resolvePath('', value);
  if (!resolution.inside) return null;
  return value.startsWith('/') ? resolution.path : joinFolder(folder, resolution.path);
}
