import type { LinkRules, PathResolution } from '../../format-port/index.ts';
import { namesSchemeOrHost, parseTarget, resolvePaths } from '../../links/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import { decodePercent } from '../../text/index.ts';
import { resolvePath, type TreeIndex } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';

/**
 * Rules of Mintlify, which publishes each file at its path from the folder of the configuration, pages without their
 * endings. Addresses that no file has stay what they are for any builder: redirects and specifications of an API may have
 * them.
 */
export function withMintlifyAddresses(rules: LinkRules, folder: RepoPath, index: TreeIndex): LinkRules {
  return {
    ...rules,
    resolve(file, reference) {
      const own = rules.resolve(file, reference);
      const path = addressOf(folder, file, reference);
      if (path === null) return own;
      const parsed = parseTarget(file, reference, undefined);
      const hasEnding = /\.mdx?$/i.test(path);
      const at = (candidates: readonly [RepoPath, ...RepoPath[]]): PathResolution => {
        const resolution = resolvePaths(file, parsed, candidates);
        const write: PathResolution['write'] = (target, options) => {
          const written = resolution.write(target, options);
          return hasEnding ? written : (written?.replace(/\.mdx?(?=[?#]|$)/i, '') ?? null);
        };
        return { ...resolution, wantsFolder: false, write };
      };
      const found = ENDINGS.map((ending) => path + ending).find(
        (candidate) => index.entry(candidate) !== undefined,
      );
      if (found !== undefined) return at([found]);
      if (own.kind === 'path' || own.status !== 'unchecked') return own;
      // A page that a change removes was all that stood at its address.
      return { ...at(/\.\w+$/.test(path) ? [path] : [`${path}.mdx`, `${path}.md`]), unless: own };
    },
  };
}

/** Endings of the files that are published at an address, in the order in which they are tried. */
const ENDINGS = ['', '.mdx', '.md', '/index.mdx', '/index.md'];

/** The path of the repository at which a link leads into the site, without an ending; null for other links. */
function addressOf(folder: RepoPath, file: RepoPath, { target }: Reference): RepoPath | null {
  const written = target.trim();
  const path = decodePercent(written.replace(/[?#][\s\S]*$/, '')).replace(/\/$/, '');
  if (path === '' || namesSchemeOrHost(written) || /[{}<>]/.test(path)) return null;
  const isRooted = path.startsWith('/');
  // The address of a folder's first page ends with the folder, so that relative ones start above it.
  if (!isRooted && /(?:^|\/)index\.mdx?$/.test(file)) return null;
  const found = resolvePath(isRooted ? 'x' : file, isRooted ? `.${path}` : path);
  if (!found.inside || found.path === '') return null;
  return isRooted ? joinPath(folder, found.path) : found.path;
}
