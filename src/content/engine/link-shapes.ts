import type { Link } from '../model/index.ts';

/** A way of writing destinations. */
export interface LinkShape {
  /** Stands behind “links”, and identifies the shape. */
  readonly words: string;
  /** How many times as many links must lead nowhere as somewhere, for the shape to be a convention. */
  readonly ratio: number;
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

/** Returns the way in which a link's path is written; null where no publisher could lead it anywhere. */
export function shapeOfPath({ target, destination }: Pick<Link, 'target' | 'destination'>): LinkShape | null {
  const path = target.trim().replace(/[?#][\s\S]*$/, '');
  if (path === '' || BARE_ADDRESS.test(path)) return null;
  if (!path.startsWith('/') && MARKDOWN_FILE.test(path)) return null;
  if (destination === null) return { words: 'out of the repository', ratio: FILES };
  const root = path.startsWith('/') ? ' from the root' : '';
  if (path.endsWith('/')) return { words: `with a slash at the end${root}`, ratio: ADDRESSES };
  const extension = /[^/.]\.([a-z0-9]{1,10})$/i.exec(path)?.[1]?.toLowerCase();
  if (extension === undefined) return { words: `without a file’s extension${root}`, ratio: ADDRESSES };
  if (/^html?$/.test(extension)) return { words: `to .html${root}`, ratio: ADDRESSES };
  const kind = /^(?:png|jpe?g|gif|svg|webp|avif)$/.test(extension) ? 'pictures' : `.${extension} files`;
  return { words: `to ${kind}${root}`, ratio: FILES };
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

/** What GitHub does not keep of a heading; underscores it keeps, but few write them. */
const FOREIGN_SIGNS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/[A-Z]/, 'capital letters'],
  [/_/, 'underscores'],
  [/[.:()]/, 'points, colons or brackets'],
];
