import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { html } from '../markup/index.ts';
import {
  organizationOf,
  organizationRoot,
  type PlatformDeps,
  siteAddress,
  siteLocationOf,
} from '../platform/index.ts';
import { findOrganizationAt, listPublicSites, type OrganizationRow, type SiteRow } from '../store/index.ts';
import { cachingOf } from './site-request.ts';
import { answerRefusal, NOTHING_HERE } from './surfaces/answer-refusal.ts';
import { renderPlainPage } from './views/render-plain-page.ts';
import { preferredLanguage } from './views/words/index.ts';

/** How long an organization's public sites are served without asking whether they changed. In milliseconds. */
const FRESH_MS = 1_000;

const MAX_ORGANIZATIONS = 1_000;

const CACHING = cachingOf({ isForEverybody: true });

/** What there is at the root of an organization's address, which no site has. */
interface OrganizationRoot {
  readonly organization: OrganizationRow | null;
  /** Those that everybody may read and search engines may know, by their titles. */
  readonly sites: readonly SiteRow[];
}

interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Of the organization, in addresses. */
  readonly label: string;
  /** The path of the organization's root, without a slash at its end. */
  readonly reachedAt: string;
}

/** Answers at the roots of organizations: where their sites are, for people and for search engines. */
export class OrganizationRoots {
  readonly #platform: PlatformDeps;
  readonly #roots: LRUCache<string, OrganizationRoot>;

  constructor(platform: PlatformDeps) {
    this.#platform = platform;
    this.#roots = new LRUCache({
      max: MAX_ORGANIZATIONS,
      ttl: FRESH_MS,
      fetchMethod: async (label) => await this.#load(label),
    });
  }

  /** Whether there is an organization with this label. */
  async has(label: string): Promise<boolean> {
    return (await this.#find(label)).organization !== null;
  }

  /** Leads to the site that stands for the organization, or to its only one; otherwise lists all that are public. */
  async answerPage({ request, reply, label, reachedAt }: Asked): Promise<void> {
    const { organization, sites } = await this.#find(label);
    const [first] = sites;
    if (organization === null || first === undefined) {
      answerRefusal({ request, reply }, NOTHING_HERE, reachedAt);
      return;
    }
    const chosen = sites.find(({ id }) => id === organization.defaultSiteId);
    const only = chosen ?? (sites.length === 1 ? first : undefined);
    reply.header('cache-control', CACHING);
    if (only !== undefined) {
      reply.redirect(this.#addressOf(organization, only), 302);
      return;
    }
    const page = renderPlainPage({
      language: preferredLanguage(request.headers['accept-language'] ?? ''),
      assetsHref: `${reachedAt}/~/assets/`,
      title: organization.title,
      body: html`<ul class="sites">${sites.map((site) => html`<li><a href="${this.#addressOf(organization, site)}">${site.title}</a></li>\n`)}</ul>`,
      canonical: organizationRoot(this.#platform, {
        organizationId: organization.id,
        organizationHostname: organization.hostname,
      }),
    });
    reply.header('vary', 'accept-language').type('text/html; charset=utf-8').send(page);
  }

  /** `robots.txt` of the organization's host, where those of its sites are not read. */
  async answerRobots({ request, reply, label, reachedAt }: Asked): Promise<void> {
    const { organization, sites } = await this.#find(label);
    if (organization === null) {
      answerRefusal({ request, reply }, NOTHING_HERE, reachedAt);
      return;
    }
    const sitemaps = sites.map((site) => `Sitemap: ${this.#addressOf(organization, site)}sitemap.xml\n`);
    const rules = sites.length === 0 ? 'Disallow: /\n' : `Allow: /\n\n${sitemaps.join('')}`;
    reply.header('cache-control', CACHING).type('text/plain; charset=utf-8').send(`User-agent: *\n${rules}`);
  }

  async #find(label: string): Promise<OrganizationRoot> {
    return await this.#roots.forceFetch(label);
  }

  async #load(label: string): Promise<OrganizationRoot> {
    const { db } = this.#platform;
    const organization = await findOrganizationAt(db, organizationOf(label));
    return { organization, sites: organization === null ? [] : await listPublicSites(db, organization.id) };
  }

  #addressOf({ hostname }: OrganizationRow, site: SiteRow): string {
    return siteAddress(this.#platform, siteLocationOf({ site, organizationHostname: hostname }));
  }
}
