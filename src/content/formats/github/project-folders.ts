import type { SpaceInput } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf, isInside, isLeftOut, pathInside } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';

/** A folder whose builder its files show, without a configuration. */
export interface ShapedFolder {
  readonly builder: string;
  readonly folder: RepoPath;
  /** A file that shows it. */
  readonly source: RepoPath;
  /** Names of pages that the site leads elsewhere, without an extension. None when absent. */
  readonly aliases?: readonly string[];
}

/** A page of Grav is the file in a folder that is numbered by its place and named by its address: `01.intro/docs.md`. */
const GRAV_PAGE = /(?:^|\/)\d{2}\.[\w-]+\/[\w-]+(?:\.\w{1,5})?\.md$/;

/** Fewer numbered folders may be numbered by chance. */
const MIN_GRAV_PAGES = 3;

/** Pages of NixOS's tools, which a derivation reads: the headings of all are names for links from anywhere among them. */
const NIX_MANUAL = /\bnixos-render-docs\b/;

/** Files of Nix beyond this number are ignored. */
const MAX_NIX_FILES = 40;

/** Manifests of handbooks beyond this number are ignored. */
const MAX_MANIFESTS = 20;

/** A page in the manifest of a handbook, from which WordPress imports it. */
const HANDBOOK_PAGE =
  /"markdown_source"\s{0,5}:\s{0,5}"https?:\\?\/\\?\/[^"\s]{1,200}?\\?\/(?:blob\\?\/)?(?:main|master|trunk)\\?\/([^"\s]{1,300})"/g;

/** Pages of Yii’s own guide that became those of extensions, to which its site redirects. */
const MOVED_GUIDES = ['tool-debugger', 'tool-gii', 'tutorial-advanced-app'];

/** A guide of Yii in another language, beside `guide`. */
const TRANSLATED_GUIDE = /^((?:.*\/)?guide)-[a-z]{2}(?:-[A-Za-z]{2,4})?\/README\.md$/;

/** Finds folders with the pages of Grav, Hugo, NixOS’s manuals, handbooks of WordPress and guides of Yii. */
export function findShapedFolders(space: SpaceInput): readonly ShapedFolder[] {
  return [
    ...gravFolders(space),
    ...hugoFolders(space),
    ...nixManuals(space),
    ...handbooks(space),
    ...yiiGuides(space),
  ];
}

function gravFolders({ entries }: SpaceInput): readonly ShapedFolder[] {
  const pages = new Map<RepoPath, RepoPath[]>();
  for (const { path } of entries) {
    if (!GRAV_PAGE.test(path)) continue;
    let folder = folderOf(path);
    while (/(?:^|\/)\d{2}\.[\w-]+$/.test(folder)) folder = folderOf(folder);
    pages.set(folder, [...(pages.get(folder) ?? []), path]);
  }
  return [...pages].flatMap(([folder, [source, ...others]]) =>
    source === undefined || others.length + 1 < MIN_GRAV_PAGES ? [] : [{ builder: 'Grav', folder, source }],
  );
}

/** `_index.md` with front matter is the page of a folder on Hugo, and on Zola, which reads such pages alike. */
function hugoFolders({ index, directory, text, has }: SpaceInput): readonly ShapedFolder[] {
  const pages = index
    .named('_index.md')
    .filter((path) => isInside(path, directory) && has(path) && !isLeftOut(pathInside(path, directory)))
    .toSorted((a, b) => a.length - b.length);
  const found: ShapedFolder[] = [];
  for (const source of pages) {
    const folder = folderOf(source);
    if (found.some((outer) => outer.folder === '' || isInside(folder, outer.folder))) continue;
    const isIndexed = index.entry(joinPath(folder, 'index.md')) !== undefined;
    if (found.length >= MAX_HUGO_FOLDERS || isIndexed || !/^\s*(?:---|\+\+\+)\r?\n/.test(text(source) ?? ''))
      continue;
    found.push({ builder: 'Hugo', folder, source });
  }
  return found;
}

const MAX_HUGO_FOLDERS = 20;

function nixManuals({ entries, text }: SpaceInput): readonly ShapedFolder[] {
  const sources = entries.filter(({ path }) => /(?:^|\/)(?:docs?|manual)\/[\w.-]+\.nix$/.test(path));
  return sources
    .slice(0, MAX_NIX_FILES)
    .flatMap(({ path }) =>
      NIX_MANUAL.test(text(path) ?? '')
        ? [{ builder: 'nixos-render-docs', folder: folderOf(path), source: path }]
        : [],
    );
}

/** The folders of the pages that a manifest names, by their addresses on the repository’s host. */
function handbooks({ entries, index, text, directory }: SpaceInput): readonly ShapedFolder[] {
  const manifests = entries.filter(({ path }) => /(?:^|[/-])manifest\.json$/.test(path));
  return manifests.slice(0, MAX_MANIFESTS).flatMap(({ path: source }) => {
    const named = [...(text(source) ?? '').matchAll(HANDBOOK_PAGE)].map(([, page = '']) =>
      page.replaceAll('\\/', '/'),
    );
    const folders = named.filter((page) => index.entry(page) !== undefined).map(folderOf);
    const [first] = folders;
    if (first === undefined) return [];
    const folder = folders.reduce(sharedFolder, first);
    return folder === directory || isInside(folder, directory)
      ? [{ builder: 'WordPress', folder, source }]
      : [];
  });
}

function sharedFolder(one: RepoPath, other: RepoPath): RepoPath {
  let shared = one;
  while (shared !== '' && other !== shared && !isInside(other, shared)) shared = folderOf(shared);
  return shared;
}

/**
 * `docs/guide` and `docs/guide-de` of Yii and its extensions, which Yii’s site publishes: a page without a translation is shown
 * in English, at the address that it would have.
 */
function yiiGuides({ entries, index, text, directory }: SpaceInput): readonly ShapedFolder[] {
  const source = joinPath(directory, 'composer.json');
  if (index.entry(source) === undefined) return [];
  const translated = entries.flatMap(({ path }) => {
    const [, guide] = TRANSLATED_GUIDE.exec(path) ?? [];
    return guide !== undefined && index.entry(`${guide}/README.md`) !== undefined
      ? [guide, folderOf(path)]
      : [];
  });
  const settings = text(source) ?? '';
  if (translated.length === 0 || !/"yiisoft\/yii2/.test(settings)) return [];
  const aliases = /"name"\s*:\s*"yiisoft\/yii2(?:-dev)?"/.test(settings) ? { aliases: MOVED_GUIDES } : {};
  return [...new Set(translated)].map((folder) => ({ builder: 'Yii', folder, source, ...aliases }));
}
