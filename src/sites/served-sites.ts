import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { type ArrangedStructure, arrangeStructure, organizationOf } from '../platform/index.ts';
import {
  type AddressedSite,
  type Database,
  findSiteByAddress,
  findSiteByHostname,
  loadSiteAdmissions,
  loadSiteStructure,
  loadSpecsVersion,
  type ReplicaReads,
  type SiteAdmissions,
  type SiteRow,
} from '../store/index.ts';
import type { ShownPreview } from './preview/changed-pages.ts';
import { MAX_TOKEN_SECONDS } from './visitor/verify-visitor-token.ts';

/** How long a process serves a site without asking whether it changed. In milliseconds. */
const FRESH_MS = 500;
/** After which it asks already, while it still serves what it has, so that nobody waits where many read. */
const RENEW_MS = 400;

/** Sites whose structure one process remembers. */
const MAX_SITES = 1_000;

/** A site as it is at its version. */
export interface ServedSite extends AddressedSite {
  /** With everything that conditions may hide. */
  readonly structure: ArrangedStructure;
  readonly admissions: SiteAdmissions;
  /** The version of what its pages show of the organization's API specifications. */
  readonly specsVersion: string;
  /** Where the primary was after the version was read; null without a read replica. */
  readonly position: string | null;
  /** Null for the site as it is. */
  readonly preview: ShownPreview | null;
}

/** Where a request looks for a site: at a host of its own, or at its organization's. */
export type SiteKey =
  | { readonly hostname: string }
  /** What stands for the organization in addresses, and the site in it. */
  | { readonly organization: string; readonly basename: string };

/** What was last found at an address. */
interface Known {
  readonly key: SiteKey;
  served: ServedSite | null;
  foundAt: number;
}

const nameOf = (key: SiteKey) => ('hostname' in key ? key.hostname : `${key.organization}/${key.basename}`);

/**
 * Finds sites, with what they consist of. A site that was found in the last {@link FRESH_MS} is not looked for again; then
 * one row says whether anything changed, however many requests wait for it. So every process shows a change in time, and
 * needs to hear nothing from the others.
 */
export class ServedSites {
  readonly #db: Database;
  readonly #now: () => number;
  readonly #known = new LRUCache<string, Known>({ max: MAX_SITES });
  readonly #ofServed = new WeakMap<ServedSite, Known>();
  readonly #pending = new Map<string, Promise<ServedSite | null>>();

  readonly #replica: Pick<ReplicaReads, 'position'> | null;

  constructor(
    db: Database,
    now: () => number = Date.now,
    replica: Pick<ReplicaReads, 'position'> | null = null,
  ) {
    this.#db = db;
    this.#now = now;
    this.#replica = replica;
  }

  /** The site as it was just found; undefined when it has to be looked for. */
  findFresh(key: SiteKey): ServedSite | null | undefined {
    const known = this.#known.get(nameOf(key));
    return known !== undefined && this.#isFresh(known) ? known.served : undefined;
  }

  /** Whether a site is what {@link findFresh} would return at the address at which it was found. */
  isFresh(served: ServedSite): boolean {
    const known = this.#ofServed.get(served);
    return known !== undefined && known.served === served && this.#isFresh(known);
  }

  #isFresh({ key, foundAt }: Known): boolean {
    const age = this.#now() - foundAt;
    if (age >= FRESH_MS) return false;
    if (age < RENEW_MS) return true;
    const name = nameOf(key);
    // A failure is met by whoever finds it too old.
    if (!this.#pending.has(name)) this.#renew(key, name).catch(() => {});
    return true;
  }

  async find(key: SiteKey): Promise<ServedSite | null> {
    const fresh = this.findFresh(key);
    if (fresh !== undefined) return fresh;
    const name = nameOf(key);
    return await (this.#pending.get(name) ?? this.#renew(key, name));
  }

  async #renew(key: SiteKey, name: string): Promise<ServedSite | null> {
    const found = this.#load(key, this.#known.get(name)?.served ?? null);
    this.#pending.set(name, found);
    try {
      const foundAt = this.#now();
      const served = await found;
      const known = this.#known.get(name) ?? { key, served, foundAt };
      this.#known.set(name, Object.assign(known, { served, foundAt }));
      if (served !== null) this.#ofServed.set(served, known);
      return served;
    } finally {
      this.#pending.delete(name);
    }
  }

  async #load(key: SiteKey, before: ServedSite | null): Promise<ServedSite | null> {
    const found =
      'hostname' in key
        ? await findSiteByHostname(this.#db, key.hostname)
        : await findSiteByAddress(this.#db, organizationOf(key.organization), key.basename);
    if (found === null) return null;
    const { site } = found;
    const isSame = before?.site.id === site.id && before.site.version === site.version;
    // The version is read before the structure: what changes in between has another version, which is found next time.
    const retiredSince = new Date(this.#now() - MAX_TOKEN_SECONDS * 1000);
    const [structure, admissions, specs] = await Promise.all([
      isSame ? before.structure : this.#loadStructure(site),
      isSame ? before.admissions : loadSiteAdmissions(this.#db, site.id, retiredSince),
      loadSpecsVersion(this.#db, site.organizationId),
    ]);
    const served: ServedSite = {
      ...found,
      structure,
      admissions,
      // Read last: all that was read before is there.
      position: (await this.#replica?.position()) ?? null,
      specsVersion: `${specs.content} ${specs.fields}`,
      preview: null,
    };
    // What did not change stays the same object, under which answers are remembered.
    return isSame && isDeepStrictEqual(served, before) ? before : served;
  }

  async #loadStructure(site: SiteRow): Promise<ArrangedStructure> {
    return arrangeStructure(site, await loadSiteStructure(this.#db, site.id));
  }
}
