import {
  brokenVerdict,
  type LinkResolution,
  linkVerdict,
  type PathResolution,
} from '../../format-port/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import { resolvePath } from '../../tree/index.ts';
import { resolveToFiles, type StarlightLink } from './starlight-addresses.ts';
import type { AstroConfig } from './starlight-config.ts';
import type { StarlightSite } from './starlight-context.ts';

/** Whether the builder takes a path for a file beside the page, or in the source folder, rather than for an address. */
export function isFileReference({ kind, carrier }: Reference): boolean {
  return (
    kind === 'image' ||
    kind === 'import' ||
    (kind === 'front-matter' && carrier?.startsWith('hero.image') === true)
  );
}

/** A picture, an import: a file of the repository, beside the page or in the source folder (`~/`, `@/`). */
export function resolveFile(site: StarlightSite, link: StarlightLink, reference: Reference): LinkResolution {
  const { config } = site;
  const to = (path: RepoPath, style: 'file' | 'none') => {
    const [first = path, ...others] = withEndings(path, reference);
    return resolveToFiles(site, link, [first, ...others], style);
  };
  const aliased = aliasedPath(link.path, config);
  if (aliased !== null) return to(aliased, 'none');
  if (/^[~@#$]/.test(link.path)) {
    return linkVerdict('unchecked', 'The path begins with an alias that the project defines.');
  }
  if (/^[^./]/.test(link.path) && reference.kind === 'import') {
    return linkVerdict('unchecked', 'The module belongs to a package.');
  }
  if (link.path.startsWith('/')) {
    const own = `${config.root === '' ? '' : `${config.root}/`}${link.path.replace(/^\/+/, '')}`;
    return resolveToFiles(site, link, [`${config.publicFolder}${link.path}`, own], 'none');
  }
  const resolution = resolvePath(link.file, link.path);
  if (!resolution.inside) return brokenVerdict('outside-repository', 'The path leaves the repository.');
  return to(resolution.path, 'file');
}

/** The path of the repository that an alias of `tsconfig.json` leads to; null for a path without one. */
export function aliasedPath(path: string, { aliases }: Pick<AstroConfig, 'aliases'>): RepoPath | null {
  for (const [start, folder] of aliases) {
    if (path.startsWith(start)) return `${folder === '' ? '' : `${folder}/`}${path.slice(start.length)}`;
  }
  return null;
}

/** Whether a module that a page takes in is none of the repository's. */
export function isOfPackage({ kind, target }: Reference, config: Pick<AstroConfig, 'aliases'>): boolean {
  return kind === 'import' && /^[~@#$]?[\w-]/.test(target) && aliasedPath(target, config) === null;
}

/** Imports may leave the ending of a module out. */
function withEndings(path: RepoPath, { kind }: Reference): PathResolution['candidates'] {
  if (kind !== 'import') return [path];
  const plain = path.replace(/\?.*$/, '');
  return [
    plain,
    ...['.ts', '.tsx', '.js', '.jsx', '.mjs', '/index.ts', '/index.js'].map((ending) => plain + ending),
    plain.replace(/\.jsx?$/, '.ts'),
  ];
}
