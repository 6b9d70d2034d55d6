import { type ParsedTarget, parseTarget } from '../../links/parse-target.ts';
import { resolveParsed, resolvePaths } from '../../links/resolve-parsed.ts';
import type { FileFacts, Reference, RepoPath, RepositoryAddress } from '../../model.ts';
import { folderOf, relativePath, resolvePath } from '../../tree/relative-path.ts';
import { anchorsOf, haveAnchor } from '../anchor-sets.ts';
import { brokenFinding, type Finding, finding, type LinkRules, type Resolution } from '../link-rules.ts';
import { join, type PublishedPage, resolveRoute } from './docusaurus-pages.ts';
import { explainMissingRoute, type SiteRoutes } from './site-routes.ts';

/** A site whose pages are known. */
export interface DocusaurusPages {
  readonly routes: SiteRoutes;
  readonly pageOf: ReadonlyMap<RepoPath, PublishedPage>;
  /** Facts of the Markdown files that a page imports. */
  includedBy(page: RepoPath): readonly FileFacts[];
  hasFile(path: RepoPath): boolean;
  readonly repository: RepositoryAddress | undefined;
}

/** What a reference is to the builder, which treats paths of files and addresses differently. */
type Manner = 'file' | 'asset' | 'address' | 'picture' | 'picture-address' | 'import';

const PAGE = /\.mdx?$/i;

/**
 * The rules of a page as the site is published (https://docusaurus.io/docs/markdown-features/links): Markdown links that
 * end with `.md` are paths of files, those with another extension may be, all others are addresses. `taker` is the page
 * that shows a part.
 */
export function docusaurusRules(known: DocusaurusPages, taker: RepoPath | null = null): LinkRules {
  return {
    resolve: (file, reference) => resolve(known, taker, file, reference),
    isPage: (path) => PAGE.test(path),
    indexPageOf: () => null,
    anchorsOfFolder: () => false,
    explainMissing(resolution, _file, reference) {
      const manner = mannerOf(reference);
      if (manner === 'address' && PAGE.test(reference.target.replace(/[?#][\s\S]*$/, ''))) {
        const message = 'Only links in Markdown may name a file; here the address of the page must stand.';
        return brokenFinding('missing-page', message);
      }
      if (manner === 'address' || manner === 'asset') {
        return explainMissingRoute(known.routes, resolution.candidates[0], reference);
      }
      return null;
    },
    objectTo({ file }, from, reference) {
      return file === null || hasScheme(reference) ? null : objectTo(known, file, from, reference);
    },
    judgeAnchor({ anchor, page, facts }) {
      const all = [facts, ...known.includedBy(page)];
      if (anchor === '' || anchor === 'top' || haveAnchor(all, anchor)) return { status: 'ok' };
      if (haveAnchor(all, anchor.replace(/^user-content-/, ''))) return { status: 'ok' };
      if (all.some((one) => one.opensAnchors === true)) {
        return {
          status: 'unchecked',
          message: `A component draws part of ${page}, and may make “${anchor}”.`,
        };
      }
      return { status: 'broken', names: anchorsOf(all) };
    },
    otherNames: (path) => {
      const stem = path.replace(/\.(?:mdx?|html)$/i, '');
      return [`${stem}.md`, `${stem}.mdx`, `${stem}/index.md`, `${stem}/index.mdx`].filter(
        (one) => one !== path,
      );
    },
  };
}

function mannerOf({ kind, target }: Reference): Manner {
  const path = target.replace(/[?#][\s\S]*$/, '');
  if (kind === 'import') return 'import';
  if (kind === 'image') return 'picture';
  if (kind === 'html-image') return 'picture-address';
  const isMarkdown = kind === 'link' || kind === 'definition';
  if (isMarkdown && PAGE.test(path)) return 'file';
  if (isMarkdown && (path.startsWith('@site/') || (/\.[a-z0-9]+$/i.test(path) && !/\.html$/i.test(path))))
    return 'asset';
  return 'address';
}

function resolve(
  known: DocusaurusPages,
  taker: RepoPath | null,
  file: RepoPath,
  reference: Reference,
): Resolution {
  if (/^pathname:\/\//.test(reference.target)) {
    return finding(
      'unchecked',
      'The address passes the builder by, and leads to what stands beside the site.',
    );
  }
  const parsed = parseTarget(file, reference, known.repository);
  const manner = mannerOf(reference);
  const leavesRepository = parsed.target.kind === 'invalid' && parsed.target.rule === 'outside-repository';
  if (leavesRepository && (manner === 'address' || manner === 'asset')) {
    // An address has fewer levels than the file, so this may be inside the site all the same.
    return resolveAddress(known, taker, file, parsed, reference);
  }
  if (parsed.target.kind !== 'path' || parsed.writtenPrefix !== '') return resolveParsed(file, parsed);
  const path = decodePath(parsed.writtenPath);
  if (path === '') return resolvePaths(file, parsed, [taker ?? file]);
  if (path.startsWith('@site/')) {
    return asFiles(
      known,
      file,
      parsed,
      withExtensions(join(known.routes.site.folder, path.slice(6)), manner),
    );
  }
  if (manner === 'import') return asFiles(known, file, parsed, withExtensions(parsed.target.path, manner));
  if (manner === 'file') return asFiles(known, file, parsed, filesOf(known, file, path));
  const { site } = known.routes;
  const statics = (route: string) =>
    site.staticFolders.map((folder) => join(folder, route.replace(/^\/+/, '')));
  if (manner === 'picture') {
    const files = path.startsWith('/') ? statics(withoutBase(site.base, path)) : [parsed.target.path];
    return asFiles(known, file, parsed, files.length > 0 ? files : [parsed.target.path]);
  }
  if (manner === 'picture-address') {
    const from = known.pageOf.get(taker ?? file)?.route ?? '/';
    const files = statics(withoutBase(site.base, resolveRoute(from, path)));
    return asFiles(known, file, parsed, path.startsWith('/') ? files : [...files, parsed.target.path]);
  }
  if (manner === 'asset') {
    const files = path.startsWith('/') ? statics(withoutBase(site.base, path)) : [parsed.target.path];
    const found = files.find((one) => known.hasFile(one));
    if (found !== undefined) return asFiles(known, file, parsed, [found]);
  }
  return resolveAddress(known, taker, file, parsed, reference);
}

/** Modules and parts may leave their extension out. */
function withExtensions(path: RepoPath, manner: Manner): readonly RepoPath[] {
  if (manner !== 'import') return [path];
  const endings = [
    '',
    '.js',
    '.jsx',
    '.ts',
    '.tsx',
    '.mjs',
    '.mdx',
    '.md',
    '.json',
    '/index.js',
    '/index.jsx',
    '/index.ts',
    '/index.tsx',
  ];
  return endings.map((ending) => path + ending);
}

/** Where the builder looks for a Markdown file: what is published there first. */
function filesOf({ routes, pageOf }: DocusaurusPages, file: RepoPath, path: string): readonly RepoPath[] {
  const root = pageOf.get(file)?.root ?? routes.rootAt(file);
  const folders = [
    ...(/^\.\.?\//.test(path) ? [] : [...(root?.folders ?? []), routes.site.folder]),
    ...(path.startsWith('/') ? [] : [folderOf(file)]),
    // A translation takes the place of the page with the same path.
    ...(root !== null && root?.locale !== null && !path.startsWith('/')
      ? [untranslatedFolder(root, file)]
      : []),
  ];
  const found = folders.flatMap((folder) => {
    const resolved = resolvePath(join(folder, 'x'), path.replace(/^\/+/, ''));
    return resolved.inside ? [resolved.path] : [];
  });
  const published = found.filter((one) => pageOf.has(one));
  const others = found.filter((one) => !pageOf.has(one));
  return [...published, ...others.reverse()];
}

function untranslatedFolder(root: NonNullable<ReturnType<SiteRoutes['rootAt']>>, file: RepoPath): RepoPath {
  const own = root.folders.at(-1) ?? root.folder;
  return folderOf(own + file.slice(root.folder.length));
}

function asFiles(
  known: DocusaurusPages,
  file: RepoPath,
  parsed: ParsedTarget,
  files: readonly RepoPath[],
): Resolution {
  const [first, ...rest] = files;
  if (first === undefined)
    return finding('broken', 'The path leaves the repository.', { rule: 'outside-repository' });
  const resolution = resolvePaths(file, parsed, [first, ...rest]);
  const { site } = known.routes;
  return {
    ...resolution,
    wantsFolder: false,
    expects: PAGE.test(first) ? 'page' : 'file',
    write(path, options) {
      const tail = options?.tail ?? parsed.writtenTail;
      const { writtenPath } = parsed;
      if (writtenPath.startsWith('@site/')) {
        return path.startsWith(join(site.folder, ''))
          ? `@site/${path.slice(join(site.folder, '').length)}${tail}`
          : null;
      }
      if (!writtenPath.startsWith('/')) return resolution.write(path, { tail });
      const folder = [...(known.pageOf.get(file)?.root.folders ?? []), ...site.staticFolders].find((one) =>
        path.startsWith(`${one}/`),
      );
      return folder === undefined ? null : path.slice(folder.length) + tail;
    },
  };
}

function resolveAddress(
  known: DocusaurusPages,
  taker: RepoPath | null,
  file: RepoPath,
  parsed: ParsedTarget,
  reference: Reference,
): Resolution {
  const { routes, pageOf } = known;
  const written =
    parsed.writtenPath === '' ? reference.target.replace(/[?#][\s\S]*$/, '') : parsed.writtenPath;
  const page = pageOf.get(taker ?? file);
  const path = decodePath(written);
  if (page === undefined && !path.startsWith('/')) {
    return finding(
      'unchecked',
      'The address is relative to the page that shows this text, and nothing says which that is.',
    );
  }
  const from = page === undefined ? '/' : routes.addressOf(page);
  const route = resolveRoute(from, path);
  const [first, ...rest] = routes.filesAt(route, page?.root.locale ?? null);
  const hash = /#([\s\S]*)$/.exec(reference.target)?.[1];
  const anchor =
    parsed.target.kind === 'path' ? parsed.target.anchor : hash === undefined ? null : decodePath(hash);
  const resolution = resolvePaths(file, parsed, [first, ...rest], anchor);
  const tailOf = (tail: string | undefined) => tail ?? reference.target.slice(written.length);
  return {
    ...resolution,
    wantsFolder: false,
    unencoded: [],
    expects: /\.(?!html|mdx?$)[a-z][a-z0-9]*$/i.test(path) ? 'file' : 'page',
    write(to, options) {
      const target = pageOf.get(to);
      if (target === undefined) return null;
      const shown =
        routes.site.trailingSlash === true ? routes.addressOf(target) : target.route.replace(/(?<=.)\/$/, '');
      if (path.startsWith('/')) return shown + tailOf(options?.tail);
      const said = relativePath(from.slice(1), shown.slice(1));
      return `${path.startsWith('./') && !said.startsWith('.') ? './' : ''}${said}${tailOf(options?.tail)}`;
    },
    writeAnchor: (name) =>
      `${written}${/^\?[^#]*/.exec(reference.target.slice(written.length))?.[0] ?? ''}#${name}`,
  };
}

function objectTo(
  { routes, pageOf }: DocusaurusPages,
  file: RepoPath,
  from: RepoPath,
  reference: Reference,
): Finding | null {
  const manner = mannerOf(reference);
  if (manner === 'picture-address' && !/^(?:\/|@site\/)/.test(reference.target) && !routes.isStatic(file)) {
    const message = `${file} is in the repository, but the site does not publish it for an element of HTML; put it into ${routes.site.staticFolders[0] ?? 'static'}.`;
    return finding('ok', null, { warning: { rule: 'works-on-github-only', message } });
  }
  if (!PAGE.test(file) || pageOf.has(file) || file === from || manner === 'import') return null;
  if (manner === 'file') {
    const root = routes.rootAt(file);
    const message =
      root === null
        ? `${file} is there, but it is outside the site, so readers do not get to it.`
        : `${file} is there, but it is a draft or left out, so the site does not publish it.`;
    return brokenFinding(root === null ? 'outside-space' : 'unlisted-page', message);
  }
  return null;
}

function withoutBase(base: string, path: string): string {
  return base !== '/' && `${path}/`.startsWith(base) ? path.slice(base.length - 1) : path;
}

function hasScheme({ target }: Reference): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target);
}

function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
