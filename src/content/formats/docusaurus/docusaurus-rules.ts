import { slug } from 'github-slugger';
import {
  brokenVerdict,
  generatedVerdict,
  type LinkResolution,
  type LinkRules,
  type LinkVerdict,
  linkVerdict,
} from '../../format-port/index.ts';
import {
  namesSchemeOrHost,
  type ParsedTarget,
  parseTarget,
  resolveParsed,
  resolvePaths,
} from '../../links/index.ts';
import type { Anchor, FileFacts, Reference, RepoPath } from '../../model/index.ts';
import { decodePercent } from '../../text/index.ts';
import { anchorsOf, haveAnchor } from '../anchor-sets.ts';
import { joinPath } from '../folder-paths.ts';
import type { DocusaurusPages } from './docusaurus-context.ts';
import { resolveRelativeRoute } from './docusaurus-pages.ts';
import { pathBelow } from './docusaurus-site.ts';
import { resolveAddress } from './resolve-address.ts';
import { markdownFilesOf, resolveDocusaurusFiles, withExtensions } from './resolve-files.ts';
import { explainMissingAddress } from './site-routes.ts';
import { fromRoot, PAGE, type TargetKind, targetKindOf } from './target-kind.ts';

/**
 * The rules of Docusaurus pages (https://docusaurus.io/docs/markdown-features/links): Markdown links that end with `.md`
 * are paths of files, those with another extension may be, all others are addresses. For a file that is only included,
 * `includer` is the page that includes it.
 */
export function docusaurusRules(known: DocusaurusPages, includer: RepoPath | null = null): LinkRules {
  return {
    resolve: (file, reference) => resolve(known, includer, file, fromRoot(reference)),
    isPage: (path) => PAGE.test(path),
    indexPageOf: () => null,
    anchorsOfFolder: () => false,
    explainMissing(resolution, _file, written) {
      const reference = fromRoot(written);
      const kind = targetKindOf(reference);
      if (kind === 'address' && PAGE.test(reference.target.replace(/[?#][\s\S]*$/, ''))) {
        const message = 'Only links in Markdown may name a file; here the address of the page must stand.';
        return brokenVerdict('missing-page', message);
      }
      if (kind === 'address' || kind === 'asset') {
        return (
          explainMissingAddress(known.routes, resolution, reference) ??
          (kind === 'address' ? explainOtherCase(known, resolution.candidates) : null)
        );
      }
      const { site } = known.routes;
      if (!site.knowsStaticFolders && reference.target.startsWith('/') && kind !== 'file') {
        return generatedVerdict(`${site.config} decides by running which folders hold files for readers.`);
      }
      // Deleted files are known to be missing all the same.
      if (kind === 'file' && site.rewritesLinks !== null) {
        return generatedVerdict(
          `There is no such file, and ${site.rewritesLinks} may make an address of the link.`,
        );
      }
      return null;
    },
    checkAccess({ candidate, file }, from, reference) {
      if (file === null || namesSchemeOrHost(reference.target)) return null;
      // A symbolic link among the pages: the site shows the file's text there.
      if (candidate !== file && PAGE.test(candidate) && known.routes.rootAt(candidate) !== null) return null;
      return checkDocusaurusAccess(known, file, from, fromRoot(reference), includer !== null);
    },
    checkAnchor({ anchor, page, facts, file }) {
      const all = [facts, ...known.includedBy(page, facts)];
      if (anchor === '' || anchor === 'top' || haveAnchor(all, anchor)) return { status: 'ok' };
      if (haveAnchor(all, anchor.replace(/^user-content-/, ''))) return { status: 'ok' };
      if (all.some((candidate) => candidate.opensAnchors === true)) {
        return {
          status: 'unchecked',
          message: `A component draws part of ${page}, and may make “${anchor}”.`,
          knownNames: anchorsOf(all),
        };
      }
      if (!known.pageOf.has(page) && known.routes.rootAt(page) === null && page !== file) {
        const message = `A symbolic link shows ${page} on the site, which may name a heading of it “${anchor}”.`;
        return { status: 'unchecked', message, knownNames: anchorsOf(all) };
      }
      const { preservesCase, config } = known.routes.site;
      if (preservesCase === null) {
        return {
          status: 'unchecked',
          message: `${config}, or a patch of the builder, decides how headings are named.`,
          knownNames: anchorsOf(all),
        };
      }
      if (known.routes.site.changesHeadings && isMarkedHeading(all, anchor)) {
        return {
          status: 'unchecked',
          message: `${config} has plugins that may take the marks off a heading of ${page} before it is named “${anchor}”.`,
          knownNames: anchorsOf(all),
        };
      }
      return { status: 'broken', names: anchorsOf(all) };
    },
    alternativePaths: (path) => {
      const stem = path.replace(/\.(?:mdx?|html)$/i, '');
      return [`${stem}.md`, `${stem}.mdx`, `${stem}/index.md`, `${stem}/index.mdx`].filter(
        (candidate) => candidate !== path,
      );
    },
  };
}

/** Whether a heading has this name without the marks in brackets at its end: `hitSlop [A][I]`. */
function isMarkedHeading(all: readonly FileFacts[], anchor: string): boolean {
  return all.some((facts) => {
    const names = unmarkedNames.get(facts) ?? new Set(facts.anchors.flatMap(unmarkedName));
    unmarkedNames.set(facts, names);
    return names.has(anchor);
  });
}

const unmarkedNames = new WeakMap<FileFacts, ReadonlySet<string>>();

function unmarkedName({ heading }: Anchor): readonly string[] {
  const start = heading?.endsWith(']') === true ? heading.indexOf('[') : -1;
  return start > 0 ? [slug((heading ?? '').slice(0, start).trim())] : [];
}

/** The router of the site compares addresses without case, also on the page for missing ones that most hosts send. */
function explainOtherCase(
  { routes, pageOf }: DocusaurusPages,
  candidates: readonly RepoPath[],
): LinkVerdict | null {
  const page = candidates.flatMap((path) => routes.alike(path)).find((path) => pageOf.has(path));
  return page === undefined
    ? null
    : linkVerdict(
        'unchecked',
        `The address differs from that of ${page} only in case, which the site’s program ignores and some hosts do not.`,
      );
}

function resolve(
  known: DocusaurusPages,
  includer: RepoPath | null,
  file: RepoPath,
  reference: Reference,
): LinkResolution {
  if (/^pathname:\/\//.test(reference.target)) {
    return linkVerdict(
      'unchecked',
      'The address passes the builder by, and leads to what stands beside the site.',
    );
  }
  const parsed = parseTarget(file, reference, known.repository);
  const kind = targetKindOf(reference);
  const leavesRepository = parsed.target.kind === 'invalid' && parsed.target.rule === 'outside-repository';
  if (leavesRepository && (kind === 'address' || kind === 'asset')) {
    // An address has fewer levels than the file, so it may be inside the site nevertheless.
    return resolveAddress(known, includer, file, parsed, reference);
  }
  if (parsed.target.kind !== 'path' || parsed.writtenPrefix !== '') return resolveParsed(file, parsed);
  const path = decodePercent(parsed.writtenPath);
  if (path === '') return resolvePaths(file, parsed, [includer ?? file]);
  if (path.startsWith('@site/')) {
    const inRepository = pathBelow(known.routes.site.config, path.slice(6));
    return resolveDocusaurusFiles(
      known,
      file,
      parsed,
      inRepository === null ? [] : withExtensions(inRepository, kind),
    );
  }
  if (kind === 'import')
    return resolveDocusaurusFiles(known, file, parsed, withExtensions(parsed.target.path, kind));
  if (kind === 'file') return resolveDocusaurusFiles(known, file, parsed, markdownFilesOf(known, file, path));
  const resolution = resolveOnSite(known, includer, file, { parsed, reference, path, kind });
  const { base, config } = known.routes.site;
  if (base !== null || (!path.startsWith('/') && kind !== 'picture-address')) return resolution;
  const unless = linkVerdict('unchecked', `${config} decides by running where the site stands on its host.`);
  return resolution.kind === 'path' ? { ...resolution, unless } : unless;
}

interface LinkOnSite {
  readonly parsed: ParsedTarget;
  readonly reference: Reference;
  /** Percent-decoded, without query and fragment. */
  readonly path: string;
  readonly kind: TargetKind;
}

/** Resolves a picture, a file for readers, or an address. */
function resolveOnSite(
  known: DocusaurusPages,
  includer: RepoPath | null,
  file: RepoPath,
  { parsed, reference, path, kind }: LinkOnSite,
): LinkResolution {
  const { site } = known.routes;
  const { base } = site;
  const own = parsed.target.kind === 'path' ? [parsed.target.path] : [];
  const statics = (route: string) =>
    site.staticFolders.map((folder) => joinPath(folder, route.replace(/^\/+/, '')));
  if (kind === 'picture') {
    const files = path.startsWith('/') ? statics(withoutBase(base, path)) : own;
    return resolveDocusaurusFiles(known, file, parsed, files.length > 0 ? files : own);
  }
  if (kind === 'picture-address') {
    const from = known.pageOf.get(includer ?? file)?.route ?? '/';
    const files = statics(withoutBase(base, resolveRelativeRoute(from, path)));
    return resolveDocusaurusFiles(known, file, parsed, path.startsWith('/') ? files : [...files, ...own]);
  }
  if (kind === 'asset') {
    const files = path.startsWith('/') ? statics(withoutBase(base, path)) : own;
    const found = files.find((candidate) => known.hasFile(candidate));
    if (found !== undefined) return resolveDocusaurusFiles(known, file, parsed, [found]);
  }
  return resolveAddress(known, includer, file, parsed, reference);
}

function checkDocusaurusAccess(
  { routes, pageOf }: DocusaurusPages,
  file: RepoPath,
  from: RepoPath,
  reference: Reference,
  isIncluded: boolean,
): LinkVerdict | null {
  const kind = targetKindOf(reference);
  const [page, own] = [pageOf.get(file), pageOf.get(from)];
  if (kind === 'file' && page !== undefined && own !== undefined && page.root.plugin !== own.root.plugin) {
    const message = `Paths of files lead to pages of the same plugin only; ${file} is one of another, so its address must stand here.`;
    const tail = /[?#][\s\S]*$/.exec(reference.target)?.[0] ?? '';
    return brokenVerdict(
      'missing-page',
      message,
      page.root.locale === null ? routes.addressOf(page) + tail : null,
    );
  }
  if (kind === 'picture-address' && !/^(?:\/|@site\/)/.test(reference.target) && !routes.isStatic(file)) {
    const message = `${file} is in the repository, but the site does not publish it for an element of HTML; put it into ${routes.site.staticFolders[0] ?? 'static'}.`;
    return linkVerdict('ok', null, { warning: { rule: 'works-on-github-only', message } });
  }
  if (!PAGE.test(file) || pageOf.has(file) || file === from || kind === 'import') return null;
  if (kind === 'file') {
    const root = routes.rootAt(file);
    // Who reads a draft, or a page that is left out, reads the repository, or the site as it is written.
    if (root !== null && own === undefined && !isIncluded) return null;
    const message =
      root === null
        ? `${file} is there, but it is outside the site, so readers do not get to it.`
        : `${file} is there, but it is a draft or left out, so the site does not publish it.`;
    return brokenVerdict(root === null ? 'outside-space' : 'unlisted-page', message);
  }
  return null;
}

function withoutBase(base: string | null, path: string): string {
  return base !== null && base !== '/' && `${path}/`.startsWith(base) ? path.slice(base.length - 1) : path;
}
