import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  findSiteByAddress,
  findSiteByHostname,
  insertSection,
  insertSectionGroup,
  insertSite,
  insertSiteSpace,
  insertSpace,
  listSiteHostnames,
  loadSite,
  loadSiteStructure,
  newId,
  type SiteRow,
  tables,
  updateSite,
} from '../../src/store/index.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});

afterAll(async () => {
  await database.close();
});

async function makeOrganization(hostname: string | null): Promise<string> {
  const id = newId();
  await database.store.db.insert(tables.organizations).values({ id, title: 'Acme', hostname });
  return id;
}

async function makeSpace(organizationId: string, title: string) {
  return await insertSpace(database.store.db, { id: newId(), organizationId, title });
}

async function makeSite(organizationId: string, basename = newId()): Promise<SiteRow> {
  return await insertSite(database.store.db, {
    id: newId(),
    organizationId,
    title: 'Docs',
    visibility: 'public',
    basename,
  });
}

test('a site is found by its own host, and by its organization and basename', async () => {
  const { db } = database.store;
  const [acme, bare] = [await makeOrganization('acme'), await makeOrganization(null)];
  const site = await makeSite(acme, 'docs');
  const other = await makeSite(bare, 'docs');
  await updateSite(db, other.id, { hostname: 'docs.example.com' });
  expect(await findSiteByHostname(db, 'docs.example.com')).toBeNull();
  expect(await listSiteHostnames(db)).toEqual([]);
  const proof = { organizationId: bare, domain: 'example.com', challenge: 'c', provedAt: new Date() };
  await db.insert(tables.emailDomains).values(proof);
  expect(await listSiteHostnames(db)).toEqual(['docs.example.com']);

  expect(await findSiteByAddress(db, { hostname: 'acme' }, 'docs')).toMatchObject({
    site: { id: site.id },
    organizationHostname: 'acme',
  });
  expect((await findSiteByAddress(db, { id: bare }, 'docs'))?.site.id).toBe(other.id);
  expect(await findSiteByAddress(db, { hostname: bare }, 'docs')).toBeNull();
  expect(await findSiteByAddress(db, { hostname: 'acme' }, 'other')).toBeNull();
  expect(await findSiteByHostname(db, 'docs.example.com')).toMatchObject({
    site: { id: other.id },
    organizationHostname: null,
  });
  await expect(makeSite(acme, 'docs')).rejects.toThrow();
  await expect(updateSite(db, site.id, { hostname: 'docs.example.com' })).rejects.toThrow();
});

describe('the version of a site', () => {
  const inSite = async () => {
    const { db } = database.store;
    const organizationId = await makeOrganization(null);
    const [site, space] = [await makeSite(organizationId), await makeSpace(organizationId, 'Guide')];
    const siteId = site.id;
    const group = await insertSectionGroup(db, {
      id: newId(),
      siteId,
      parentId: null,
      title: 'G',
      icon: null,
    });
    const section = await insertSection(db, {
      id: newId(),
      siteId,
      groupId: group.id,
      title: 'S',
      path: 's',
      icon: null,
    });
    const siteSpace = await insertSiteSpace(db, {
      id: newId(),
      siteId,
      sectionId: section.id,
      spaceId: space.id,
      path: 'guide',
    });
    return { db, organizationId, site, siteId, space, group, section, siteSpace };
  };
  type Made = Awaited<ReturnType<typeof inSite>>;
  const { sites, siteSections, siteSectionGroups, siteSpaces, siteShareLinks, siteRedirects } = tables;

  const raising: [string, (made: Made) => Promise<unknown>][] = [
    ['itself', ({ db, siteId }) => updateSite(db, siteId, { title: 'Handbook' })],
    [
      'a section',
      ({ db, section }) => db.update(siteSections).set({ title: 'T' }).where(eq(siteSections.id, section.id)),
    ],
    [
      'a group that is deleted',
      ({ db, group }) => db.delete(siteSectionGroups).where(eq(siteSectionGroups.id, group.id)),
    ],
    [
      'a space in it',
      ({ db, siteSpace }) => db.update(siteSpaces).set({ path: 'v2' }).where(eq(siteSpaces.id, siteSpace.id)),
    ],
    [
      'a share link',
      ({ db, siteId }) =>
        db.insert(siteShareLinks).values({ id: newId(), siteId, name: 'L', hash: newId(), prefix: 'p' }),
    ],
    [
      'a redirect',
      ({ db, siteId }) =>
        db.insert(siteRedirects).values({ id: newId(), siteId, source: '/a', destination: {} }),
    ],
    [
      'the content of its space',
      ({ db, space }) =>
        db.update(tables.spaces).set({ revisionId: newId() }).where(eq(tables.spaces.id, space.id)),
    ],
    [
      'a space that is deleted',
      ({ db, space }) =>
        db.update(tables.spaces).set({ deletedAt: sql`now()` }).where(eq(tables.spaces.id, space.id)),
    ],
    [
      'a space that is purged',
      ({ db, space }) => db.delete(tables.spaces).where(eq(tables.spaces.id, space.id)),
    ],
    [
      'the hostname of its organization',
      ({ db, organizationId }) =>
        db
          .update(tables.organizations)
          .set({ hostname: newId().toLowerCase() })
          .where(eq(tables.organizations.id, organizationId)),
    ],
  ];
  test.each(raising)('is raised by a change of %s', async (_what, change) => {
    const made = await inSite();
    const { db, organizationId, siteId } = made;
    const before = (await loadSite(db, organizationId, siteId))?.version ?? 0;
    await change(made);
    expect((await loadSite(db, organizationId, siteId))?.version).toBeGreaterThan(before);
  });

  test('stays with what its readers do not see', async () => {
    const { db, organizationId, siteId, space } = await inSite();
    const before = (await loadSite(db, organizationId, siteId))?.version;
    await db.update(tables.spaces).set({ editMode: 'locked' }).where(eq(tables.spaces.id, space.id));
    await db.update(tables.spaces).set({ title: 'Guide' }).where(eq(tables.spaces.id, space.id));
    expect((await loadSite(db, organizationId, siteId))?.version).toBe(before);
  });

  test('ends with the site', async () => {
    const { db, siteId } = await inSite();
    await db.delete(sites).where(eq(sites.id, siteId));
    expect(await loadSiteStructure(db, siteId)).toEqual({ groups: [], sections: [], siteSpaces: [] });
  });
});

test('the structure has everything in its order, and of spaces only those that readers may find there', async () => {
  const { db } = database.store;
  const [from, to] = [await makeOrganization(null), await makeOrganization(null)];
  const site = await makeSite(from);
  const titles = ['One', 'Two', 'Deleted', 'Elsewhere'];
  const spaces: { id: string }[] = [];
  for (const title of titles) {
    const space = await makeSpace(from, title);
    spaces.push(space);
    await insertSiteSpace(db, {
      id: newId(),
      siteId: site.id,
      sectionId: null,
      spaceId: space.id,
      path: title.toLowerCase(),
    });
  }
  const idOf = (title: string) => spaces[titles.indexOf(title)]?.id ?? '';
  const { spaces: table } = tables;
  await db
    .update(table)
    .set({ deletedAt: sql`now()` })
    .where(eq(table.id, idOf('Deleted')));
  await db
    .update(table)
    .set({ organizationId: to })
    .where(eq(table.id, idOf('Elsewhere')));
  await db
    .update(table)
    .set({ language: 'de' })
    .where(eq(table.id, idOf('Two')));

  const { siteSpaces } = await loadSiteStructure(db, site.id);
  expect(siteSpaces).toMatchObject([
    {
      path: 'one',
      space: { id: idOf('One'), title: 'One', language: null, revisionId: null, version: null },
    },
    { path: 'two', space: { title: 'Two', language: 'de' } },
  ]);
  await db
    .update(table)
    .set({ deletedAt: null })
    .where(eq(table.id, idOf('Deleted')));
  await db
    .update(table)
    .set({ organizationId: from })
    .where(eq(table.id, idOf('Elsewhere')));
  expect((await loadSiteStructure(db, site.id)).siteSpaces.map(({ path }) => path)).toEqual([
    'one',
    'two',
    'deleted',
  ]);
});
