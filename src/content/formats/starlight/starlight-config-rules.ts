import { brokenVerdict, type LinkResolution, linkVerdict } from '../../format-port/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import {
  belowBase,
  publishedAddress,
  resolveStarlightFiles,
  type StarlightLink,
  trimmed,
  unknownBase,
} from './starlight-addresses.ts';
import type { StarlightSite } from './starlight-context.ts';
import { resolveFile } from './starlight-files.ts';
import { guessSources, resolveRoute, resolveSource, type Write } from './starlight-routes.ts';

/**
 * Resolves a path in the configuration. Paths in the sidebar are relative to the site's base and the folder of the
 * default language, which Starlight prepends (its configuration reference, `sidebar`).
 */
export function resolveConfigPath(
  site: StarlightSite,
  link: StarlightLink,
  { carrier }: Reference,
): LinkResolution {
  const { config } = site;
  if (carrier === 'file') {
    const inRoot = { ...link, file: config.root === '' ? 'x' : `${config.root}/x` };
    return resolveFile(site, inRoot, NO_REFERENCE);
  }
  if (carrier === 'favicon')
    return resolveStarlightFiles(site, link, [`${config.publicFolder}/${trimmed(link.path)}`], 'none');
  if (link.path.includes('[')) {
    return linkVerdict('unchecked', 'The redirect fills in parameters, which only the site knows.');
  }
  if (carrier === 'redirect' && config.basePath === null && link.path.startsWith('/'))
    return unknownBase(config);
  if (carrier === 'redirect') return resolveRoute(site, link, belowBase(site, link.path) ?? link.path);
  const write: Write = (_site, _link, path) => writeEntry(site, link, path, carrier);
  const inLanguage = (path: string) => [config.defaultLocale, path].filter(Boolean).join('/');
  const resolution =
    carrier === 'slug'
      ? resolveSlug(site, link, inLanguage(link.path === 'index' ? '' : link.path), write)
      : resolveRoute(site, link, inLanguage(trimmed(link.path)), write);
  if (resolution.kind !== 'path') return resolution;
  return { ...resolution, write: (path) => write(site, link, path) };
}

/** Resolves a slug, which must equal the id of a page exactly, without leading and trailing slashes. */
function resolveSlug(site: StarlightSite, link: StarlightLink, id: string, write: Write): LinkResolution {
  const { routes } = site;
  const file = routes.fileAt(id);
  if (file !== null && routes.addressOf(file) === id)
    return resolveStarlightFiles(site, link, [file], 'page');
  const similar = routes.fileAt(trimmed(id));
  if (similar !== null && routes.addressOf(similar) !== null) {
    const message = `Starlight finds no page by this slug; that of ${similar} is “${routes.addressOf(similar)}”.`;
    return brokenVerdict('missing-page', message, write(site, link, similar));
  }
  const route = trimmed(id);
  return (
    resolveSource(site, link, route, write) ??
    resolveStarlightFiles(site, link, guessSources(site, route), 'page')
  );
}

/** Writes a page as an entry of the sidebar; null when it is not of the default language. */
function writeEntry(
  site: StarlightSite,
  link: StarlightLink,
  path: RepoPath,
  carrier: string | undefined,
): string | null {
  const { routes, config } = site;
  const address = carrier === 'slug' ? routes.addressOf(path) : publishedAddress(site, path);
  if (address === null) return null;
  const { defaultLocale } = config;
  const isOfDefault = defaultLocale === '' || `${address}/`.startsWith(`${defaultLocale}/`);
  if (!isOfDefault) return null;
  const own = defaultLocale === '' ? address : address.slice(defaultLocale.length + 1);
  if (carrier === 'slug') return own === '' ? 'index' : own;
  const plain = link.path.endsWith('/') || own === '' ? own : own.replace(/\/$/, '');
  return `${link.path.startsWith('/') ? '/' : ''}${plain}${link.tail}`;
}

const NO_REFERENCE: Reference = {
  kind: 'config',
  target: '',
  text: '',
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 1,
};
