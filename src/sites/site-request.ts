import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ArrangedStructure, ConditionScope, PlatformDeps } from '../platform/index.ts';
import type { ReplicaReads } from '../store/index.ts';
import type { PathTargets } from './content/path-targets.ts';
import type { SiteRedirects } from './content/site-redirects.ts';
import type { FinishedAnswers } from './finished-answer.ts';
import type { ReaderLimit } from './reader-limit.ts';
import type { RecentAnswers } from './recent-answers.ts';
import type { SearchTurns } from './search/search-turns.ts';
import type { ServedSite } from './served-sites.ts';
import type { SiteAddresses } from './site-addresses.ts';
import type { SocialPictures } from './social/social-pictures.ts';
import type { VisibleContents } from './visitor/visible-contents.ts';

/** What all surfaces of all sites share in one process. */
export interface SiteParts {
  readonly platform: PlatformDeps;
  /** Null without a read replica. */
  readonly replica: ReplicaReads | null;
  readonly answers: FinishedAnswers;
  readonly recent: RecentAnswers;
  readonly searches: SearchTurns;
  /** Limits what readers say of pages. */
  readonly feedback: ReaderLimit;
  /** Limits how many searches without results are stored. */
  readonly missedSearches: ReaderLimit;
  /** Limits how many questions a model answers. */
  readonly questions: ReaderLimit;
  readonly pictures: SocialPictures;
  readonly pathTargets: PathTargets;
  readonly redirects: SiteRedirects;
}

/** A request for something of a site, whose visitor may see the site. */
export interface SiteRequest extends SiteParts {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly served: ServedSite;
  /** Whether everybody gets the same answer, so that shared caches may keep it. */
  readonly isForEverybody: boolean;
  readonly claims: ConditionScope;
  /** With the pages that this visitor sees. */
  readonly contents: VisibleContents;
  /** Of the site's conditions: visitors with the same ones get the same answers. */
  readonly outcomes: string;
  /** What this visitor sees of the site. */
  readonly structure: ArrangedStructure;
  readonly addresses: SiteAddresses;
  /** Below the site, decoded, without slashes at its ends. */
  readonly path: string;
  /** Whether the address, as it was requested, has a slash at its end. */
  readonly endsWithSlash: boolean;
}

const CACHING = {
  /** Shared caches ask again after a minute, and show what they have while they do. */
  everybody: 'public, max-age=0, s-maxage=60, stale-while-revalidate=600',
  visitor: 'private, no-store',
} as const;

/** What may keep an answer to this visitor, and for how long. */
export function cachingOf({ isForEverybody }: Pick<SiteRequest, 'isForEverybody'>): string {
  return isForEverybody ? CACHING.everybody : CACHING.visitor;
}

/** Whether the caller is no page of another site, which could read what is open to its visitor only, or act for them. */
export function isFromSite({ request, addresses }: Pick<SiteRequest, 'request' | 'addresses'>): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  const known = [host, URL.parse(addresses.canonical())?.host];
  return known.includes(URL.parse(origin)?.host);
}

/**
 * Returns true, as a surface.
 *
 * @param by what answered, for those who look why an address leads where it does
 */
export function redirect(site: SiteRequest, address: string, by: string): boolean {
  site.reply
    .headers({ 'cache-control': cachingOf(site), 'x-redirect-by': `Docloom (${by})` })
    .redirect(address, 301);
  return true;
}

/**
 * Reads what everybody may read of a site from the replica, where there is one that has all that the site's version has, so
 * that what is made of it may be kept under that version; everything else from the primary.
 */
export async function readPublished<T>(
  { platform, replica, served, isForEverybody }: ReadableSite,
  read: (platform: PlatformDeps) => Promise<T>,
): Promise<T> {
  if (replica === null || served.position === null || served.preview !== null || !isForEverybody)
    return await read(platform);
  return await replica.read(served.position, (db) => read({ ...platform, db }));
}

export type ReadableSite = Pick<SiteRequest, 'platform' | 'replica' | 'served' | 'isForEverybody'>;
