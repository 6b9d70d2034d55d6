import { LRUCache } from 'lru-cache';
import type { ArrangedSection, ArrangedSiteSpace, ArrangedStructure } from '../../platform/index.ts';
import { type Database, loadRevision, loadSitePreview, type SitePreviewRow } from '../../store/index.ts';
import type { SpaceContents } from '../content/space-contents.ts';
import { locationsOf } from '../locate-path.ts';
import type { ServedSite } from '../served-sites.ts';
import { findChangedPages } from './changed-pages.ts';

/** Previews that one process remembers. */
const MAX_KNOWN = 100;

/** A site as it would be after a proposed change. */
export interface PreviewedSite {
  readonly row: SitePreviewRow;
  readonly served: ServedSite;
}

/** Finds previews of sites. What is read of one is kept for as long as neither it nor the site changes. */
export class SitePreviews {
  readonly #db: Database;
  readonly #contents: SpaceContents;
  readonly #known = new LRUCache<
    string,
    { readonly of: ServedSite['structure']; readonly served: ServedSite }
  >({
    max: MAX_KNOWN,
  });

  constructor(db: Database, contents: SpaceContents) {
    this.#db = db;
    this.#contents = contents;
  }

  async find(served: ServedSite, id: string): Promise<PreviewedSite | null> {
    const row = await loadSitePreview(this.#db, served.site.id, id);
    if (row === null) return null;
    const version = `${row.id} ${row.updatedAt.getTime()}`;
    const known = this.#known.get(version);
    if (known?.of === served.structure) return { row, served: known.served };
    const previewed = await this.#load(served, row, version);
    this.#known.set(version, { of: served.structure, served: previewed });
    return { row, served: previewed };
  }

  async #load(served: ServedSite, row: SitePreviewRow, version: string): Promise<ServedSite> {
    const structure = await this.#replaceContents(served.structure, row.revisions);
    const changes = await findChangedPages(this.#contents, {
      before: locationsOf(served.structure),
      after: locationsOf(structure),
    });
    const { site } = served;
    const look = (site.customization ?? {}) as Readonly<Record<string, unknown>>;
    return {
      ...served,
      // No search engine is to know it, whatever it may of the site, and feedback is about what is live.
      site: {
        ...site,
        visibility: 'unlisted',
        publishedAt: site.publishedAt ?? row.createdAt,
        customization: { ...look, feedback: { enabled: false } },
      },
      structure,
      preview: { title: row.title, url: row.url, changes, version },
    };
  }

  /** A revision that was deleted meanwhile leaves what is live. */
  async #replaceContents(
    structure: ArrangedStructure,
    revisions: SitePreviewRow['revisions'],
  ): Promise<ArrangedStructure> {
    const replaced = new Map<string, ArrangedSiteSpace>();
    for (const { siteSpace } of locationsOf(structure)) {
      const { space } = siteSpace.row;
      const id = Object.hasOwn(revisions, space.id) ? revisions[space.id] : undefined;
      const revision = id === undefined ? null : await loadRevision(this.#db, space.id, id);
      if (revision === null) continue;
      const { historyId, version } = revision;
      const shown = { ...space, revisionId: revision.id, historyId, version };
      replaced.set(siteSpace.row.id, { ...siteSpace, row: { ...siteSpace.row, space: shown } });
    }
    const each = (siteSpaces: readonly ArrangedSiteSpace[]) =>
      siteSpaces.map((siteSpace) => replaced.get(siteSpace.row.id) ?? siteSpace);
    const section = (item: ArrangedSection): ArrangedSection => ({
      ...item,
      siteSpaces: each(item.siteSpaces),
    });
    const inItem = (item: ArrangedStructure['items'][number]): ArrangedStructure['items'][number] =>
      item.type === 'section' ? section(item) : { ...item, children: item.children.map(inItem) };
    return {
      items: structure.items.map(inItem),
      sections: structure.sections.map(section),
      siteSpaces: each(structure.siteSpaces),
    };
  }
}
