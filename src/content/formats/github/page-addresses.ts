import {
  type FilesRead,
  type LinkResolution,
  type LinkRules,
  linkVerdict,
  type PathResolution,
} from '../../format-port/index.ts';
import type { FileFacts, Reference, RepoPath } from '../../model/index.ts';
import { isPageFile, pathInside, type TreeIndex } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { formerAddressesIn } from '../front-matter-redirects.ts';
import { plainAddress } from '../redirect-rules.ts';
import type { ForeignProject } from './foreign-builders.ts';
import { isMdx } from './foreign-rules.ts';
import type { RedirectedPages } from './redirected-pages.ts';

/** Folders of a project whose pages have the addresses of their paths there, unless settings or pages say otherwise. */
const ROOTS: Readonly<Record<string, readonly string[]>> = {
  Mintlify: [''],
  Hugo: ['content', 'content/en', 'static'],
  Nextra: ['content', 'pages', 'app', 'src/content', 'src/pages', 'src/app', 'public'],
  Fumadocs: ['content', 'public'],
};

/** Builders whose addresses are in small letters, however the files of pages are written. */
const IN_SMALL_LETTERS = new Set(['Hugo']);

/** What follows an address in the path of its page. */
const ENDINGS = ['.md', '.mdx', '/_index.md', '/index.md', '/index.mdx', '/page.mdx'];

/** Pages of one name beyond this number are not compared with an address: one of them may be at it. */
const MAX_ALIKE = 50;

/** Keys of the front matter with which a page chooses its address or the end of it. */
const ADDRESS_KEYS = ['url', 'slug', 'permalink'];

/**
 * Rules under which an address from the root, still unchecked, is known to lead to the page or file at its path: a change that
 * takes that away breaks it. Whether an address leads somewhere at all only the builder can say.
 */
export function withPageAddresses(
  rules: LinkRules,
  host: LinkRules,
  { builder, folder, redirects = [] }: ForeignProject,
  { index, files, redirected }: { index: TreeIndex; files: FilesRead; redirected: RedirectedPages },
): LinkRules {
  const roots = (ROOTS[builder] ?? [])
    .map((root) => joinPath(folder, root))
    .filter((root) => root === '' || index.isFolder(root));
  if (roots.length === 0) return rules;
  const isRedirected = redirecting(redirects);
  const ignoringCase = (path: RepoPath) =>
    IN_SMALL_LETTERS.has(builder)
      ? [path, ...index.alike(path).filter((alike) => index.entry(alike) !== undefined)]
      : [path];
  const choosing = (key: string) =>
    files
      .table<null>('pages by chosen address', function* ({ path }) {
        if (!isPageFile(path) && !isMdx(path)) return;
        for (const address of chosenAddresses(files.facts(path))) yield [address, null];
      })
      .rows(key)[0]?.file;
  return {
    ...rules,
    resolve(file, reference) {
      const own = rules.resolve(file, reference);
      return own.kind === 'verdict' && own.status === 'unchecked'
        ? (resolveAddress(host, { roots, ignoringCase, unless: own }, file, reference) ?? own)
        : own;
    },
    explainMissing(resolution, file, reference) {
      if (resolution.unless === undefined || !isAddress(reference)) {
        return rules.explainMissing?.(resolution, file, reference) ?? null;
      }
      const address = plainAddress(pathOf(reference));
      const leads =
        isRedirected(address) ||
        redirected.redirectOf(`x/${address}.md`) !== null ||
        choosing(address) !== undefined ||
        choosing(lastName(address)) !== undefined;
      const isThere = leads || resolution.candidates.some((path) => index.alike(path).length > 0);
      const isElsewhere = isThere || isBelowAnotherRoot(index, address);
      return isElsewhere
        ? linkVerdict('unchecked', `${builder} may still publish something at ${reference.target}.`)
        : null;
    },
  };
}

function isAddress({ target }: Reference): boolean {
  return /^\s*\/(?!\/)/.test(target);
}

function pathOf({ target }: Reference): string {
  return target.trim().replace(/[?#][\s\S]*$/, '');
}

function lastName(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1);
}

interface Addresses {
  readonly roots: readonly RepoPath[];
  /** The path of a page, and those that lead to the same address. */
  readonly ignoringCase: (path: RepoPath) => readonly RepoPath[];
  readonly unless: Extract<LinkResolution, { kind: 'verdict' }>;
}

function resolveAddress(
  host: LinkRules,
  { roots, ignoringCase, unless }: Addresses,
  file: RepoPath,
  reference: Reference,
): PathResolution | null {
  const path = plainAddress(pathOf(reference));
  if (!isAddress(reference) || path === '') return null;
  const resolution = host.resolve(file, reference);
  if (resolution.kind !== 'path') return null;
  const isFile = /\.[a-z]\w{1,4}$/i.test(path);
  const [first, ...others] = roots.flatMap((root) =>
    isFile
      ? [joinPath(root, path)]
      : ENDINGS.flatMap((ending) => ignoringCase(joinPath(root, path + ending))),
  );
  if (first === undefined) return null;
  const write: PathResolution['write'] = (target) => {
    const root = roots.find((folder) => folder === '' || target.startsWith(`${folder}/`));
    return root === undefined ? null : `/${addressOf(pathInside(target, root))}${fragmentOf(reference)}`;
  };
  return {
    ...resolution,
    candidates: [first, ...others],
    wantsFolder: false,
    expects: isFile ? 'file' : 'page',
    unencoded: [],
    unless,
    write,
  };
}

function addressOf(path: string): string {
  return path.replace(/(?:(?:^|\/)(?:_index|index|page))?\.mdx?$/, '');
}

function fragmentOf({ target }: Reference): string {
  return /#[\s\S]*$/.exec(target.trim())?.[0] ?? '';
}

/** A source ends with `:name` for one name, or with `:name*` or `*` for all that follow: both count as all. */
function redirecting(sources: readonly string[]): (address: string) => boolean {
  const exact = new Set<string>();
  const beginnings = new Set<string>();
  for (const source of sources) {
    const at = source.search(/[:*]/);
    if (at === -1) exact.add(plainAddress(source));
    else beginnings.add(source.slice(0, at));
  }
  return (address) =>
    exact.has(address) ||
    [...`/${address}`.matchAll(/\//g)].some(({ index }) => beginnings.has(`/${address}`.slice(0, index + 1)));
}

/** Whether a page elsewhere has the address at the end of its path, so that it may be published there. */
function isBelowAnotherRoot(index: TreeIndex, address: string): boolean {
  return ['.md', '.mdx'].some((ending) => {
    const alike = index.named(lastName(address) + ending);
    return alike.length > MAX_ALIKE || alike.some((path) => `/${path}`.endsWith(`/${address}${ending}`));
  });
}

function chosenAddresses(facts: FileFacts | undefined): readonly string[] {
  const values = facts?.frontMatter ?? {};
  const chosen = ADDRESS_KEYS.flatMap((key) => {
    const value = values[key];
    return typeof value === 'string' ? [plainAddress(value), lastName(plainAddress(value))] : [];
  });
  return [...formerAddressesIn(facts), ...chosen];
}
