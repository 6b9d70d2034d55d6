import { type LinkResolution, type LinkVerdict, linkVerdict } from '../../format-port/index.ts';
import { type ParsedTarget, resolvePaths } from '../../links/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import { decodePercent } from '../../text/index.ts';
import { relativePath } from '../../tree/index.ts';
import type { DocusaurusPages } from './docusaurus-context.ts';
import { differsInVersion, resolveRelativeRoute } from './docusaurus-pages.ts';
import type { DocusaurusSite } from './docusaurus-site.ts';

/** Resolves a link that is an address, from the root of the host or relative to the page's address. */
export function resolveAddress(
  known: DocusaurusPages,
  includer: RepoPath | null,
  file: RepoPath,
  parsed: ParsedTarget,
  reference: Reference,
): LinkResolution {
  const { routes, pageOf } = known;
  const written =
    parsed.writtenPath === '' ? reference.target.replace(/[?#][\s\S]*$/, '') : parsed.writtenPath;
  const page = pageOf.get(includer ?? file);
  const path = decodePercent(written);
  if (page === undefined && !path.startsWith('/')) {
    return linkVerdict(
      'unchecked',
      'The address is relative to the page that shows this text, and nothing says which that is.',
    );
  }
  const unless = unknownAddress(routes.site, path);
  const from = page === undefined ? '/' : routes.addressOf(page);
  const route = resolveRelativeRoute(from, path);
  const [first, ...rest] = routes.filesAt(route, page?.root.locale ?? null);
  const hash = /#([\s\S]*)$/.exec(reference.target)?.[1];
  const anchor =
    parsed.target.kind === 'path' ? parsed.target.anchor : hash === undefined ? null : decodePercent(hash);
  const resolution = resolvePaths(file, parsed, [first, ...rest], anchor);
  const tailOf = (tail: string | undefined) => tail ?? reference.target.slice(written.length);
  return {
    ...resolution,
    ...(unless === null ? {} : { unless }),
    address: route,
    wantsFolder: false,
    unencoded: [],
    expects: /\.(?!html|mdx?$)[a-z][a-z0-9]*$/i.test(path) ? 'file' : 'page',
    write(to, options) {
      const target = pageOf.get(to);
      if (target === undefined || differsInVersion(page?.root, target.root)) return null;
      if (!routes.site.isSure) return null;
      const shown =
        routes.site.trailingSlash === true ? routes.addressOf(target) : target.route.replace(/(?<=.)\/$/, '');
      if (path.startsWith('/')) return shown + tailOf(options?.tail);
      const relative = relativePath(from.slice(1), shown.slice(1));
      return `${path.startsWith('./') && !relative.startsWith('.') ? './' : ''}${relative}${tailOf(options?.tail)}`;
    },
    writeAnchor: (name) =>
      `${written}${/^\?[^#]*/.exec(reference.target.slice(written.length))?.[0] ?? ''}#${name}`,
  };
}

/** Why it is not known where an address leads; null when it is known. */
export function unknownAddress(
  { base, trailingSlash, config }: Pick<DocusaurusSite, 'base' | 'trailingSlash' | 'config'>,
  path: string,
): LinkVerdict | null {
  const isRooted = path.startsWith('/');
  if (base === null && isRooted)
    return linkVerdict('unchecked', `${config} decides by running where the site stands on its host.`);
  if (trailingSlash === null && !isRooted)
    return linkVerdict('unchecked', `${config} decides by running whether addresses end with a slash.`);
  return null;
}
