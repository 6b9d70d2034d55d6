import type { Link } from '../model/index.ts';

/** A way of writing destinations. */
export interface LinkShape {
  /** Stands behind “links”, and identifies the shape. */
  readonly words: string;
  /** How many times as many links must lead nowhere as somewhere, for the shape to be a convention. */
  readonly ratio: number;
  /** How many links must lead nowhere, for the shape to be a convention; as many as of any when absent. */
  readonly minimum?: number;
  /** Whether it is usually an address of a published page rather than the path of a file. */
  readonly isAddress?: true;
  /** Whether hardly anything but an address is written so, however the pages write paths of files. */
  readonly isCertain?: true;
  /** Whether it begins with a slash. */
  readonly isFromRoot?: true;
  /** What is counted once, however many links lead there; each link of a file when absent. */
  readonly counted?: string;
}

/** Files are what the repository holds, whoever publishes it: nearly all such links must lead nowhere. */
const FILES = 10;

const HEADINGS = 4;

/** What has no file's extension, or that of a made page, is usually an address. */
const ADDRESSES = 1.5;

/** A web or mail address without its scheme, which leads nowhere wherever it is shown. */
const BARE_ADDRESS = /@|https?:|^(?:www\.)?[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|gov|edu|co)(?:[/:]|$)/i;

/** By its name as a file, a page of the repository, which is there or not, whoever publishes it. */
const MARKDOWN_FILE = /\.(?:md|mdx|markdown)$/i;

/** Names of files without an extension, which are no addresses: `LICENSE`, `Makefile`, `.gitignore`. */
const PLAIN_FILE =
  /(?:^|\/)(?:[A-Z][A-Z0-9_-]+|(?:Make|Docker|Rake|Gem|Proc|Vagrant|Jenkins|Just)file|\.[\w.-]+)$/;

/** A name for an address that what publishes the pages replaces: `@api/struct.Rocket.html`. */
const ALIASED = /^(@[\w-]{1,40}(?:\.[\w-]{1,20}){0,3})\/[\w.-]/;

/** Such a name alone, or before a path. */
const ALIAS = /^(@[\w-]{1,40}(?:\.[\w-]{1,20}){0,3})(?:\/[\w.-]|\/?$)/;

/** A name that a program may have numbered: `eip-20`, `img12`. Behind a folder's number any may stand. */
const NUMBERED = /[a-z][-_]?\d+(?:[-_.]|$)/i;

/** Whether a destination is that of a page as the repository's host leads to it: a relative path of a Markdown file. */
export function isHostPath({ target }: Pick<Link, 'target'>): boolean {
  const path = target.trim().replace(/[?#][\s\S]*$/, '');
  return !path.startsWith('/') && MARKDOWN_FILE.test(path);
}

/** Returns the way in which a link's path is written; null where no publisher could lead it anywhere. */
export function shapeOfPath(link: Pick<Link, 'target' | 'destination' | 'suggestion'>): LinkShape | null {
  const path = link.target.trim().replace(/[?#][\s\S]*$/, '');
  const alias = ALIASED.exec(path)?.[1];
  if (alias !== undefined) return { words: `that begin with ${alias}/`, ratio: FILES };
  if (path === '' || BARE_ADDRESS.test(path)) return null;
  if (!path.startsWith('/') && MARKDOWN_FILE.test(path)) return shapeOfNumbered(path);
  if (link.destination === null) return { words: 'out of the repository', ratio: FILES };
  const shape = shapeOfEnd(path, link);
  return path.startsWith('/') ? { ...shape, words: `${shape.words} from the root`, isFromRoot: true } : shape;
}

/** How a path ends. */
function shapeOfEnd(path: string, { target, suggestion }: Pick<Link, 'target' | 'suggestion'>): LinkShape {
  if (path.endsWith('/') && /\/#./.test(target))
    return { words: 'with a slash before the fragment', ratio: ADDRESSES, isAddress: true, isCertain: true };
  if (path.endsWith('/')) return { words: 'with a slash at the end', ratio: ADDRESSES, isAddress: true };
  // The name of a page may have a dot: `grunt.fail` for `grunt.fail.md`.
  const isPage = suggestion !== null && suggestion.replace(/[?#][\s\S]*$/, '') === `${path}.md`;
  const extension = isPage ? undefined : /[^/.]\.([a-z0-9]{1,10})$/i.exec(path)?.[1]?.toLowerCase();
  if (extension === undefined) {
    const shape = { words: 'without a file’s extension', ratio: ADDRESSES };
    return PLAIN_FILE.test(path) ? shape : { ...shape, isAddress: true };
  }
  if (/^html?$/.test(extension)) return { words: 'to .html', ratio: ADDRESSES, isAddress: true };
  const kind = /^(?:png|jpe?g|gif|svg|webp|avif)$/.test(extension) ? 'pictures' : `.${extension} files`;
  return { words: `to ${kind}`, ratio: FILES };
}

/** Names of which so many are used are not those of people, or of one folder. */
const MIN_ALIASES = 5;

/**
 * The shape of a path that begins with such a name, whichever: who replaces many replaces the ones that are seldom used, too.
 * Names alone count as one, as they may be those of people.
 */
export function shapeOfAlias({ target }: Pick<Link, 'target'>): LinkShape | null {
  const path = target.trim().replace(/[?#][\s\S]*$/, '');
  if (!ALIAS.test(path)) return null;
  const counted = ALIASED.exec(path)?.[1] ?? '@';
  return { words: 'that begin with names after @', ratio: FILES, minimum: MIN_ALIASES, counted };
}

/** Pages that are numbered, all of which another program or repository may have: `eip-20.md` where there are only `erc-20.md`. */
function shapeOfNumbered(path: string): LinkShape | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (!NUMBERED.test(name)) return null;
  return { words: `to pages such as ${name.replace(/\d+/g, 'N')}`, ratio: FILES, counted: name };
}

/**
 * Returns the way in which a fragment is written; null when there is none, or when the host of the repository could have made
 * it of a heading: then it is of one that is not there.
 */
export function shapeOfFragment({ target, anchor }: Pick<Link, 'target' | 'anchor'>): LinkShape | null {
  if (anchor === null || anchor === '') return null;
  const sign = FOREIGN_SIGNS.find(([pattern]) => pattern.test(anchor))?.[1];
  if (sign === undefined) return null;
  const where = target.trim().startsWith('#') ? 'of their own page' : 'of other pages';
  return { words: `to headings ${where} by names with ${sign}`, ratio: HEADINGS };
}

/** What other programs make of a heading, by the name that GitHub makes of it. */
const NAMINGS: readonly (readonly [program: string, nameOf: (name: string) => string])[] = [
  ['kramdown', (name) => name.replace(/^[^a-z]+/, '').replace(/[^a-z0-9-]/g, '')],
  [
    'Python-Markdown',
    (name) =>
      name
        .normalize('NFKD')
        .replace(/[^\w-]/g, '')
        .replace(/-+/g, '-')
        .replace(/^-|-$/g, ''),
  ],
  ['goldmark', (name) => name.replace(/[^a-z0-9_-]/g, '').replaceAll('_', '-')],
  [
    'VitePress',
    (name) =>
      name
        .replace(/[-_]+/g, '-')
        .replace(/^-|-$/g, '')
        .replace(/^(?=\d)/, '_'),
  ],
];

/** Fewer links that fit the naming of one program may be as many mistakes. */
const MIN_NAMED = 3;

const NAMED: readonly LinkShape[] = NAMINGS.map(([program]) => ({
  words: `to headings by the names that ${program} makes of them`,
  ratio: HEADINGS,
  minimum: MIN_NAMED,
}));

/** The shapes of links whose fragment is what other programs make of a heading of the page, by the heading's name on GitHub. */
export function shapesOfNaming({
  rule,
  anchor,
  suggestion,
}: Pick<Link, 'rule' | 'anchor' | 'suggestion'>): readonly LinkShape[] {
  if (rule !== 'missing-anchor' || anchor === null || suggestion === null) return [];
  const name = suggestion.slice(suggestion.indexOf('#') + 1);
  return NAMED.filter((_, at) => NAMINGS[at]?.[1](name) === anchor);
}

/** The shapes of such links against which one stands that leads somewhere: its fragment is another one in those namings. */
export function shapesAgainst(anchor: string): readonly LinkShape[] {
  return NAMED.filter((_, at) => NAMINGS[at]?.[1](anchor) !== anchor);
}

export const HEADINGS_ALIKE: LinkShape = {
  words: 'to headings by names that another program makes of them',
  ratio: 1,
};

/** Against it stand links to headings of their own page that are there: few pages have so many of the others' by mistake. */
export const HEADINGS_BESIDE: LinkShape = {
  words: 'to headings of the pages beside theirs, as if these were one page',
  ratio: 0.5,
};

/** Whether the name of a heading is one that only the repository's host makes: it replaces each space, and keeps underscores. */
export function isOfHost(anchor: string): boolean {
  return /--|_|^-|-$/.test(anchor);
}

/**
 * Whether a broken link's fragment is that of a heading that is there, but for what another program than the repository's
 * host makes of its signs and brackets: `#install-i` for `install--i`, of “install / i”.
 */
export function isAlikeHeading({
  rule,
  anchor,
  suggestion,
}: Pick<Link, 'rule' | 'anchor' | 'suggestion'>): boolean {
  if (rule !== 'missing-anchor' || anchor === null || suggestion === null) return false;
  const name = suggestion.slice(suggestion.indexOf('#') + 1).toLowerCase();
  const written = anchor.toLowerCase();
  return name !== written && (lettersOf(name) === lettersOf(written) || name.startsWith(`${written}-`));
}

function lettersOf(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '');
}

/** What GitHub does not keep of a heading; underscores it keeps, but few write them. */
const FOREIGN_SIGNS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/[A-Z]/, 'capital letters'],
  [/_/, 'underscores'],
  [/[.:()]/, 'points, colons or brackets'],
];
