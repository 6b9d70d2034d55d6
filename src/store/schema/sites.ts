/**
 * Tables of published sites. Triggers of the database raise a site's `version` with every change of the site, of what is
 * below it, and of what it shows of its spaces; processes that serve it compare it.
 */
import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  jsonb,
  numeric,
  pgTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { id, moment } from './columns.ts';
import { organizations, spaces } from './platform.ts';

/** A published view over spaces. */
export const sites = pgTable(
  'sites',
  {
    id: id('id').primaryKey(),
    organizationId: id('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    type: text('type').notNull().default('basic'),
    /** `public`, `unlisted`, `share-link` or `visitor-auth`. */
    visibility: text('visibility').notNull(),
    /** Null while it is not published. */
    publishedAt: moment('published_at'),
    /** Its place among the sites of the organization: a slug. */
    basename: text('basename').notNull(),
    /** A host of its own, in lower case. */
    hostname: text('hostname').unique(),
    /** Whether its organization has proved the domain of the host, or one above it; set by triggers. */
    hostnameProved: boolean('hostname_proved').notNull().default(false),
    /** The foreign host and path under which it is reached, such as `example.com/docs`. */
    proxy: text('proxy'),
    adaptiveContent: boolean('adaptive_content').notNull().default(false),
    /** A JSON Schema of what visitors may claim. */
    adaptiveSchema: jsonb('adaptive_schema'),
    adaptiveSchemaUpdatedAt: moment('adaptive_schema_updated_at'),
    /** `included` or `excluded`. */
    agentsContext: text('agents_context').notNull().default('excluded'),
    /** What differs from the default look; null for nothing. */
    customization: jsonb('customization'),
    /** Where visitors without a valid token are sent. */
    fallbackUrl: text('fallback_url'),
    /** Who declares it, such as a repository by its configuration; null where nobody does. */
    declaredBy: text('declared_by'),
    defaultSectionId: id('default_section_id').references((): AnyPgColumn => siteSections.id, {
      onDelete: 'set null',
    }),
    /** Of a site without sections. */
    defaultSiteSpaceId: id('default_site_space_id').references((): AnyPgColumn => siteSpaces.id, {
      onDelete: 'set null',
    }),
    /** Raised by a trigger in the transaction of every change that its readers could notice. */
    version: bigint('version', { mode: 'number' }).notNull().default(1),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('sites_of_organization').on(table.organizationId, table.createdAt, table.id),
    unique('sites_by_basename').on(table.organizationId, table.basename),
    uniqueIndex('sites_by_declaration').on(table.organizationId, table.declaredBy),
    index('sites_by_default_section').on(table.defaultSectionId),
    index('sites_by_default_site_space').on(table.defaultSiteSpaceId),
  ],
);

const ofSite = () =>
  id('site_id')
    .notNull()
    .references(() => sites.id, { onDelete: 'cascade' });

/** Groups of sections; they nest. */
export const siteSectionGroups = pgTable(
  'site_section_groups',
  {
    id: id('id').primaryKey(),
    siteId: ofSite(),
    parentId: id('parent_id').references((): AnyPgColumn => siteSectionGroups.id, { onDelete: 'set null' }),
    title: text('title').notNull(),
    icon: text('icon'),
    /** See `position` of spaces: the groups and sections of a site share one order. */
    position: numeric('position').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('site_section_groups_of_site').on(table.siteId, table.position, table.id),
    index('site_section_groups_below').on(table.parentId),
  ],
);

export const siteSections = pgTable(
  'site_sections',
  {
    id: id('id').primaryKey(),
    siteId: ofSite(),
    groupId: id('group_id').references(() => siteSectionGroups.id, { onDelete: 'set null' }),
    title: text('title').notNull(),
    description: text('description'),
    path: text('path').notNull(),
    icon: text('icon'),
    /** An expression over the visitor; null shows it to everybody. */
    condition: text('condition'),
    defaultSiteSpaceId: id('default_site_space_id').references((): AnyPgColumn => siteSpaces.id, {
      onDelete: 'set null',
    }),
    position: numeric('position').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('site_sections_of_site').on(table.siteId, table.position, table.id),
    unique('site_sections_by_path').on(table.siteId, table.path),
    index('site_sections_of_group').on(table.groupId),
    index('site_sections_by_default_site_space').on(table.defaultSiteSpaceId),
  ],
);

/** A space in a site: a variant of a section, or of the whole site where that has no sections. */
export const siteSpaces = pgTable(
  'site_spaces',
  {
    id: id('id').primaryKey(),
    siteId: ofSite(),
    sectionId: id('section_id').references((): AnyPgColumn => siteSections.id, { onDelete: 'cascade' }),
    spaceId: id('space_id')
      .notNull()
      .references(() => spaces.id, { onDelete: 'cascade' }),
    path: text('path').notNull(),
    /** Who declares that the site shows it, and takes it out again; null where nobody does. */
    declaredBy: text('declared_by'),
    condition: text('condition'),
    /** What differs from the customization of the site; null for nothing. */
    customization: jsonb('customization'),
    /** Order in the site, and so in its section. */
    position: numeric('position').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('site_spaces_of_site').on(table.siteId, table.position, table.id),
    unique('site_spaces_by_path').on(table.siteId, table.sectionId, table.path).nullsNotDistinct(),
    index('site_spaces_of_section').on(table.sectionId),
    index('site_spaces_of_space').on(table.spaceId),
  ],
);

/** Links that open a site to who has them. Only the SHA-256 of the key is stored; the link is shown once. */
export const siteShareLinks = pgTable(
  'site_share_links',
  {
    id: id('id').primaryKey(),
    siteId: ofSite(),
    name: text('name').notNull(),
    active: boolean('active').notNull().default(true),
    hash: text('hash').notNull().unique(),
    /** The first characters of the key, by which people know it again. */
    prefix: text('prefix').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('site_share_links_of_site').on(table.siteId, table.createdAt, table.id)],
);

export const siteRedirects = pgTable(
  'site_redirects',
  {
    id: id('id').primaryKey(),
    siteId: ofSite(),
    /** A path below the site's address; `/*` at its end stands for everything below. */
    source: text('source').notNull(),
    /** See SiteRedirectDestination in the contract. */
    destination: jsonb('destination').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('site_redirects_of_site').on(table.siteId, table.createdAt, table.id),
    uniqueIndex('site_redirects_by_source').on(table.siteId, table.source),
  ],
);

/** What readers said of pages. Nothing says who they were, and no change of it raises the version of the site. */
export const siteFeedback = pgTable(
  'site_feedback',
  {
    id: id('id').primaryKey(),
    siteId: ofSite(),
    /** The space and the page, which may be gone, with the title and the path below the site at that time. */
    spaceId: id('space_id').notNull(),
    pageId: id('page_id').notNull(),
    path: text('path').notNull(),
    title: text('title').notNull(),
    helpful: boolean('helpful').notNull(),
    comment: text('comment'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('site_feedback_of_site').on(table.siteId, table.createdAt, table.id)],
);

/** The keys that sign visitors' tokens. The newest one signs; those retired recently are still accepted. */
export const siteVisitorKeys = pgTable(
  'site_visitor_keys',
  {
    id: id('id').primaryKey(),
    siteId: ofSite(),
    sealedKey: text('sealed_key').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Since when another one signs. */
    retiredAt: moment('retired_at'),
  },
  (table) => [
    index('site_visitor_keys_of_site').on(table.siteId, table.createdAt, table.id),
    uniqueIndex('site_visitor_keys_that_sign').on(table.siteId).where(sql`retired_at is null`),
  ],
);

/** What a site would show after a proposed change, such as a pull request: other revisions of some of its spaces. */
export const sitePreviews = pgTable(
  'site_previews',
  {
    id: id('id').primaryKey(),
    siteId: ofSite(),
    /** What proposes the change, such as a pull request of a repository. */
    source: text('source').notNull(),
    /** The name of that for people, and its address. */
    title: text('title').notNull(),
    url: text('url').notNull(),
    /** The revision of each space that differs, by its id. */
    revisions: jsonb('revisions').$type<Readonly<Record<string, string>>>().notNull(),
    /** The key that opens it besides membership: sealed, and its SHA-256. */
    sealedKey: text('sealed_key').notNull(),
    keyHash: text('key_hash').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('site_previews_of_source').on(table.siteId, table.source),
    index('site_previews_by_time').on(table.updatedAt),
  ],
);
