import {
  brokenVerdict,
  type LinkResolution,
  linkVerdict,
  type PathResolution,
} from '../../format-port/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import { resolvePath } from '../../tree/index.ts';
import { resolveStarlightFiles, type StarlightLink } from './starlight-addresses.ts';
import type { AstroConfig } from './starlight-config.ts';
import type { StarlightSite } from './starlight-context.ts';

/** Whether the builder treats a path as that of a file rather than as an address. */
export function isFileReference({ kind, carrier }: Reference): boolean {
  return (
    kind === 'image' ||
    kind === 'import' ||
    (kind === 'front-matter' && carrier?.startsWith('hero.image') === true)
  );
}

/** Resolves a picture or an import to a file of the repository, relative to the page or through an alias (`~/`, `@/`). */
export function resolveFile(site: StarlightSite, link: StarlightLink, reference: Reference): LinkResolution {
  const { config } = site;
  const to = (path: RepoPath, style: 'file' | 'none') => {
    const [first = path, ...rest] = withExtensions(path, reference);
    return resolveStarlightFiles(site, link, [first, ...rest], style);
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
    const [first, ...rest] = [`${config.publicFolder}${link.path}`, ...withExtensions(own, reference)];
    return resolveStarlightFiles(site, link, [first, ...rest], 'none');
  }
  const resolution = resolvePath(link.file, link.path);
  if (!resolution.inside) return brokenVerdict('outside-repository', 'The path leaves the repository.');
  return to(resolution.path, 'file');
}

/** Resolves a path that begins with an alias of `tsconfig.json`; null for other paths. */
export function aliasedPath(path: string, { aliases }: Pick<AstroConfig, 'aliases'>): RepoPath | null {
  for (const [start, folder] of aliases) {
    if (path.startsWith(start)) return `${folder === '' ? '' : `${folder}/`}${path.slice(start.length)}`;
  }
  return null;
}

/** Whether a reference imports a module of a package. */
export function isOfPackage({ kind, target }: Reference, config: Pick<AstroConfig, 'aliases'>): boolean {
  return kind === 'import' && /^[~@#$]?[\w-]/.test(target) && aliasedPath(target, config) === null;
}

/** The files to which an import may lead, since it may omit the extension; only the path itself for other references. */
function withExtensions(path: RepoPath, { kind }: Reference): PathResolution['candidates'] {
  if (kind !== 'import') return [path];
  const plain = path.replace(/\?.*$/, '');
  return [
    plain,
    ...['.ts', '.tsx', '.js', '.jsx', '.mjs', '/index.ts', '/index.js'].map((extension) => plain + extension),
    plain.replace(/\.jsx?$/, '.ts'),
  ];
}
