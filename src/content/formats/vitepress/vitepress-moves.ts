import type {
  ConfigurationChange,
  FormatMoves,
  PublishedFiles,
  RedirectTable,
  SpaceMove,
} from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { isInside, pathInside } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { hostRedirectTable } from '../host-redirect-table.ts';
import type { ScriptGroup, ScriptLiteral, ScriptLiterals } from '../script-config/script-literals.ts';
import { changeScripts, type ScriptChange, scriptsFrom } from '../script-config/script-moves.ts';
import { findVitepressSites, type VitepressSite } from './vitepress-site.ts';

/** Updates the configuration of a VitePress site: the sidebar, the navigation, rewrites, paths. */
export const vitepressMoves: FormatMoves = { configure, addresses, redirects };

function configure(move: SpaceMove): ConfigurationChange {
  const site = siteAt(move);
  if (site === null) return { edits: [], notices: [] };
  const pages = new Map([...move.addresses].map(([file, { before, after }]) => [before, { file, after }]));
  const folder = `${joinPath(site.directory, '.vitepress')}/`;
  const own = move.repository.tree
    .map(({ path }) => path)
    .filter(
      (path) =>
        path.startsWith(folder) && /\.(?:[cm]?[jt]s|json)$/.test(path) && !/\/(?:cache|dist)\//.test(path),
    );
  const scripts = new Set([...scriptsFrom(move, [site.config]), ...own.slice(0, 50)]);
  return changeScripts(move, [...scripts], (literal, all) => {
    const { value, key, isKey } = literal;
    if (isKey && /^\/.*\/$/.test(value)) return unlessEqual(value, movedFolder(move, site, value));
    if (isKey || key === 'rewrites') return rewriteChange(move, site, value);
    if (key === 'base') return unlessEqual(value, movedFolder(move, site, value));
    if (key !== 'link') return mention(value, pages);
    return linkChange({ move, site, pages, literal, all });
  });
}

interface ConfiguredLink {
  readonly move: SpaceMove;
  readonly site: VitepressSite;
  readonly pages: ReadonlyMap<string, { readonly file: RepoPath; readonly after: string | null }>;
  readonly literal: ScriptLiteral;
  readonly all: ScriptLiterals;
}

/**
 * `link: '/guide/start'`, which a `base` around it may complete
 * (https://vitepress.dev/reference/default-theme-sidebar).
 */
function linkChange({ move, site, pages, literal, all }: ConfiguredLink): ScriptChange {
  const { value } = literal;
  if (/^[a-z][a-z\d+.-]*:|^\/\/|^#/i.test(value)) return null;
  const base = baseAround(literal.group, all);
  const [, path = '', tail = ''] = /^([^?#]*)([\s\S]*)$/.exec(value) ?? [];
  const full = base === null ? path : base + path.replace(/^\//, '');
  const found = pages.get(plainAddress(full));
  if (found === undefined || found.after === null) return null;
  const newBase = base === null ? null : (movedFolder(move, site, base) ?? base);
  const ending = /\.(?:html|md)$/.exec(path)?.[0] ?? '';
  const isFolder = /(?:^|\/)index\.md$/.test(move.moved(found.file));
  const namesIndex = /(?:^|\/)index(?:\.html|\.md)?$/.test(path);
  const route = !isFolder
    ? found.after + ending
    : namesIndex || ending !== ''
      ? joinPath(found.after, `index${ending}`)
      : found.after === ''
        ? ''
        : `${found.after}/`;
  const address = `/${route}`;
  if (newBase !== null) {
    const start = `/${newBase.replace(/^\//, '')}`;
    if (!address.startsWith(start))
      return {
        notice: `${value} is below the base ${base}, but its page moved out of it: it is now ${address}. Change the link`,
      };
    return unlessEqual(value, (path.startsWith('/') ? '/' : '') + address.slice(start.length) + tail);
  }
  return unlessEqual(value, (path.startsWith('/') ? address : address.slice(1)) + tail);
}

/** The `base` of each object of a script that has one. */
const bases = new WeakMap<ScriptLiterals, ReadonlyMap<ScriptGroup | null, string>>();

/** The `base` of the innermost item of the sidebar that has one. */
function baseAround(group: ScriptGroup | null, all: ScriptLiterals): string | null {
  let known = bases.get(all);
  if (known === undefined) {
    const baseLiterals = all.literals.filter((literal) => literal.key === 'base' && !literal.isKey);
    known = new Map(baseLiterals.map((candidate) => [candidate.group, candidate.value]));
    bases.set(all, known);
  }
  for (let ancestor = group; ancestor !== null; ancestor = ancestor.parent) {
    // The `base` in the outermost object is that of the whole site, which links do not contain.
    if (ancestor.parent === null || ancestor.parent.bracket === '(') return null;
    const base = known.get(ancestor);
    if (base !== undefined) return base;
  }
  return null;
}

/** The new address of a folder (`/guide/`) that moves as a whole; null for other addresses. */
function movedFolder(
  { repository, moved }: SpaceMove,
  { source }: VitepressSite,
  address: string,
): string | null {
  const path = joinPath(source, address.replace(/^\/|\/$/g, '')).replace(/\/$/, '');
  const target = moved(path);
  if (target === path || !repository.index.isFolder(path) || !isInside(target, moved(source))) return null;
  const start = address.startsWith('/') ? '/' : '';
  return `${start}${pathInside(target, moved(source))}${address.endsWith('/') ? '/' : ''}`;
}

/** `rewrites` name files by their paths in the source folder. */
function rewriteChange(
  { repository, moved }: SpaceMove,
  { source }: VitepressSite,
  name: string,
): ScriptChange {
  const path = joinPath(source, name.replace(/^\//, ''));
  if (!/\.md$/.test(name) || repository.index.entry(path) === undefined) return null;
  const target = moved(path);
  if (target === path || !isInside(target, moved(source))) return null;
  return { to: (name.startsWith('/') ? '/' : '') + pathInside(target, moved(source)) };
}

function mention(value: string, pages: ConfiguredLink['pages']): ScriptChange {
  if (!/^\/./.test(value)) return null;
  const found = pages.get(plainAddress(value.replace(/[?#].*$/, '')));
  if (found === undefined || found.after === null || found.after === plainAddress(value)) return null;
  return { notice: `${value} is now /${found.after}. Change it if it means that page` };
}

function addresses(space: PublishedFiles): ReadonlyMap<RepoPath, string> {
  const site = siteAt(space);
  const found = new Map<RepoPath, string>();
  if (site === null) return found;
  for (const { path } of space.repository.tree) {
    if (
      !/\.md$/.test(path) ||
      !(site.source === '' || isInside(path, site.source)) ||
      isInside(path, site.publicFolder)
    )
      continue;
    const inside = pathInside(path, site.source);
    if (/(?:^|\/)(?:\.|node_modules\/)/.test(inside) || inside.includes('[') || site.isExcluded(inside))
      continue;
    found.set(path, plainAddress(site.rewrites.apply(inside) ?? inside));
  }
  return found;
}

function redirects(space: PublishedFiles): RedirectTable | string {
  const site = siteAt(space);
  if (site === null) return 'VitePress has no redirects of its own';
  const { base } = site;
  if (base === null || !site.knowsPublicFolder)
    return `the path of the site on its host is known only by running ${site.config}`;
  const file = joinPath(site.publicFolder, '_redirects');
  // New addresses get the extension of the existing ones.
  const ending = /\.html(?:\s|$)/.test(space.repository.text(file) ?? '') ? '.html' : '';
  const written = (plain: string) => base + plain + (plain === '' ? '' : ending);
  return hostRedirectTable(space, file, written) ?? 'VitePress has no redirects of its own';
}

function siteAt({
  repository,
  directory,
}: Pick<PublishedFiles, 'repository' | 'directory'>): VitepressSite | null {
  return findVitepressSites(repository).find((candidate) => candidate.directory === directory) ?? null;
}

/** An address without leading and trailing slashes, extension and `index`. */
function plainAddress(address: string): string {
  return address
    .replace(/^\/|\/$/g, '')
    .replace(/\.(?:html|md)$/, '')
    .replace(/(?:^|\/)index$/, '');
}

function unlessEqual(value: string, to: string | null): ScriptChange {
  return to === null || to === value ? null : { to };
}
