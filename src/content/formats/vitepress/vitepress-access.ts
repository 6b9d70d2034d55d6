import {
  brokenVerdict,
  generatedVerdict,
  type LinkVerdict,
  linkVerdict,
  type PathResolution,
} from '../../format-port/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import { isInside, isPageFile, pathInside } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { isOwnLink, isPicture } from './vitepress-candidates.ts';
import type { LinkOrigin, VitepressPages } from './vitepress-context.ts';

/** Files that plugins and themes commonly generate beside the pages. */
const GENERATED_FILE = /(?:^|\/)[^/]*\.(?:txt|xml|json|rss|atom|webmanifest|ics)$/i;

/** Returns why a target may exist although it is not in the repository; null when nothing indicates it. */
export function explainMissingRoute(
  known: VitepressPages,
  origin: LinkOrigin,
  { candidates, expects }: PathResolution,
  reference: Reference,
): LinkVerdict | null {
  const { site } = known;
  if (reference.kind === 'block' || reference.kind === 'import') return null;
  const path = candidates[0];
  const route = isInside(path, site.source) ? pathInside(path, site.source) : path;
  if (reference.carrier === 'target') {
    return linkVerdict(
      'unchecked',
      `The link opens ${reference.target} as it is, which need not be a page of this site.`,
    );
  }
  if (expects === 'file' && !site.knowsPublicFolder && reference.target.startsWith('/')) {
    return generatedVerdict(`${site.config} decides by running where files for readers are.`);
  }
  if (expects === 'file') {
    if (isPicture(reference) || !GENERATED_FILE.test(path)) return null;
    return generatedVerdict(`${route} is not in the repository; a plugin of the site may write it.`);
  }
  // The builder writes it for every site.
  if (route === '404.md') return linkVerdict('ok', null);
  const address = `/${route.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`;
  // The redirects contain the site's base if the host serves the whole domain, but not if it is mounted at the base.
  const isRedirected =
    known.isRedirected(address) || known.isRedirected((site.base ?? '/') + address.slice(1));
  const isIgnored = site.ignoresDeadLink(`/${route.replace(/\.md$/, '')}`, reference.target);
  if (!site.isSure) {
    const message = `${site.config} decides by running where pages are published, so this cannot be told.`;
    return isRedirected || isIgnored === true ? linkVerdict('unchecked', message) : generatedVerdict(message);
  }
  if (isRedirected) {
    return linkVerdict('unchecked', `There is no page ${address}; the host’s redirects lead it on.`);
  }
  for (const page of known.dynamicPages) {
    if (matchesDynamic(page, path)) {
      return generatedVerdict(`${page} makes pages like this one, which only the site’s data knows.`);
    }
  }
  if (isIgnored !== false) {
    const message = `There is no page ${address}; ${site.config} leaves links to it alone.`;
    return isIgnored === true ? linkVerdict('unchecked', message) : generatedVerdict(message);
  }
  if (origin.kind === 'loose' && !reference.target.startsWith('/')) {
    return generatedVerdict('Code of the site shows this text, and only it knows on which page.');
  }
  return isInside(path, site.source) || isPageFile(path) ? explainSlash(known, path, reference) : null;
}

/** Reports a link whose page exists, but with a slash at the end of its address that the link lacks, or the reverse. */
function explainSlash(
  { pages, site }: VitepressPages,
  path: RepoPath,
  reference: Reference,
): LinkVerdict | null {
  if (!isOwnLink(reference)) return null;
  const folder = joinPath(path.replace(/\.md$/, ''), 'index.md');
  // VitePress fails to build such a link; where it need not, its program and most hosts lead to the page.
  const unless = (page: RepoPath) =>
    linkVerdict('unchecked', `There is no ${path}; most hosts lead on to the address of ${page}.`);
  if (pages.has(folder) && site.allowsDeadLinks) return unless(folder);
  if (pages.has(folder)) {
    const suggestion = reference.target.replace(/(?:\.(?:html|md))?(?=[?#]|$)/, '/');
    return brokenVerdict(
      'missing-page',
      `There is no ${path}; the address of ${folder} ends with a slash.`,
      suggestion,
    );
  }
  const page = path.replace(/\/index\.md$/, '.md');
  if (page === path || !pages.has(page) || !/^[^?#]*[^/.?#]\/(?=[?#]|$)/.test(reference.target)) return null;
  if (site.allowsDeadLinks) return unless(page);
  const suggestion = reference.target.replace(/\/(?=[?#]|$)/, '');
  return brokenVerdict(
    'missing-page',
    `There is no ${path}; the address of ${page} ends without a slash.`,
    suggestion,
  );
}

/** Whether a path may be generated from a page with parameters (`[id].md`). */
function matchesDynamic(page: RepoPath, path: RepoPath): boolean {
  const parts = page.split('/');
  const pathParts = path.split('/');
  return (
    parts.length === pathParts.length &&
    parts.every((part, at) => part === pathParts[at] || matchesPart(part, pathParts[at] ?? ''))
  );
}

function matchesPart(part: string, name: string): boolean {
  // The index page of a folder is unlikely to be generated.
  if (name === 'index.md') return false;
  const start = part.indexOf('[');
  const end = part.lastIndexOf(']');
  if (start === -1 || end < start) return false;
  return name.startsWith(part.slice(0, start)) && name.endsWith(part.slice(end + 1));
}
