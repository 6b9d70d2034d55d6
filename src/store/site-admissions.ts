import { and, desc, eq, gt, isNull, or } from 'drizzle-orm';
import type { Db } from './db.ts';
import { siteShareLinks, siteVisitorKeys } from './schema/sites.ts';

/** What lets visitors into a site that is not for everybody. It is the same as long as the site's version is. */
export interface SiteAdmissions {
  /** SHA-256 of the keys of the share links that are switched on. */
  readonly shareHashes: ReadonlySet<string>;
  /** The keys that sign visitors' tokens, sealed, the newest first. */
  readonly visitorKeys: readonly { readonly sealedKey: string; readonly retiredAt: Date | null }[];
}

/** @param retiredSince keys that were retired before are left out */
export async function loadSiteAdmissions(
  db: Db,
  siteId: string,
  retiredSince: Date,
): Promise<SiteAdmissions> {
  const [links, visitorKeys] = await Promise.all([
    db
      .select({ hash: siteShareLinks.hash })
      .from(siteShareLinks)
      .where(and(eq(siteShareLinks.siteId, siteId), siteShareLinks.active)),
    db
      .select({ sealedKey: siteVisitorKeys.sealedKey, retiredAt: siteVisitorKeys.retiredAt })
      .from(siteVisitorKeys)
      .where(
        and(
          eq(siteVisitorKeys.siteId, siteId),
          or(isNull(siteVisitorKeys.retiredAt), gt(siteVisitorKeys.retiredAt, retiredSince)),
        ),
      )
      .orderBy(desc(siteVisitorKeys.createdAt), desc(siteVisitorKeys.id)),
  ]);
  return { shareHashes: new Set(links.map(({ hash }) => hash)), visitorKeys };
}
