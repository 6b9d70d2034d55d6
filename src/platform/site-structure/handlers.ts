import type { SiteSection, SiteSectionGroup, SiteSpace } from '../../contract/index.ts';
import {
  byPosition,
  type Db,
  deletePart,
  type PositionKey,
  placeInGroup,
  updateSection,
  updateSectionGroup,
  updateSiteSpace,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { type LocatedSite, requireSite, type SiteParams } from '../access/require-site.ts';
import { ApiError, invalid, notFound } from '../api/api-error.ts';
import { limitOf, type PagingQuery, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import { positionKeyOf, readPositionCursor } from '../api/position-cursor.ts';
import type { PlatformDeps } from '../deps.ts';
import { type LockedSite, recordSite, requireNoCollision, withSiteLocked } from '../sites/change-site.ts';
import { checkCondition } from '../sites/conditions.ts';
import { requireShowable } from '../sites/require-showable.ts';
import { addGroup, addSection, addSpaceAt } from './change-structure.ts';
import { findParent, moveItem, moveSiteSpace } from './move-part.ts';
import { presentStructure, type StructureView } from './present-structure.ts';

type Fields = Readonly<Record<string, unknown>>;

export function siteStructureHandlers(deps: PlatformDeps): HandlersOf<'site-structure'> {
  const { db } = deps;

  /** Changes a part of a site for somebody who may, and returns the view of what it is then. */
  async function change<Result>(
    caller: Caller,
    params: SiteParams,
    action: `site.${string}`,
    run: (locked: LockedSite, located: LocatedSite) => Promise<Result>,
    options: { readonly spaceId?: string | undefined; readonly after?: Fields } = {},
  ): Promise<{ readonly result: Result; readonly view: () => Promise<StructureView> }> {
    const located = await requireSite(db, caller, params, 'edit');
    const { spaceId } = options;
    if (spaceId !== undefined) {
      const { organizationId } = located.site;
      await requireShowable(db, caller, organizationId, { spaceId, field: '/body/spaceId' });
    }
    const result = await withSiteLocked(
      db,
      located.site,
      async (locked) => {
        const changed = await run(locked, located);
        await recordSite(locked.tx, caller, action, locked.site, { after: options.after ?? {} });
        return changed;
      },
      spaceId === undefined ? [] : [spaceId],
    );
    return {
      result,
      view: async () => await presentStructure(deps, caller, await requireSite(db, caller, params, 'access')),
    };
  }

  async function showSiteSpace(view: () => Promise<StructureView>, id: string): Promise<SiteSpace> {
    const shown = await view();
    const found = shown.siteSpaces.find(({ row }) => row.id === id);
    if (found === undefined) throw notFound('site-space with this id in this site');
    return shown.siteSpace(found);
  }

  async function showSection(view: () => Promise<StructureView>, id: string): Promise<SiteSection> {
    const shown = await view();
    const found = shown.structure.sections.find(({ row }) => row.id === id);
    if (found === undefined) throw notFound('section with this id in this site');
    return shown.section(found);
  }

  async function showGroup(view: () => Promise<StructureView>, id: string): Promise<SiteSectionGroup> {
    const shown = await view();
    const found = shown.groups.find(({ row }) => row.id === id);
    if (found === undefined) throw notFound('section group with this id in this site');
    return shown.group(found);
  }

  /** A page of the parts of a site, in their order. The structure is read as a whole in any case. */
  function pageOf<Part extends { readonly row: PositionKey }, Answer>(
    parts: readonly Part[],
    list: string,
    query: PagingQuery,
    present: (part: Part) => Answer,
  ) {
    const after = readPositionCursor(list, query);
    const ordered = parts.toSorted((a, b) => byPosition(a.row, b.row));
    const rows = ordered.filter(({ row }) => after === null || byPosition(row, after) > 0);
    const keyOf = ({ row }: Part) => positionKeyOf(row);
    return toList({ count: parts.length, rows }, { list, limit: limitOf(query), keyOf, present });
  }

  const requireSection = ({ structure }: LockedSite, id: string) => {
    const section = structure.sections.find(({ row }) => row.id === id);
    if (section === undefined) throw notFound('section with this id in this site');
    return section;
  };

  const requireGroup = ({ structure }: LockedSite, id: string) => {
    const found = findParent(structure.items, id);
    if (found?.item.type !== 'group') throw notFound('section group with this id in this site');
    return { ...found, group: found.item };
  };

  return {
    async getSiteStructure({ caller, params, query }) {
      const located = await requireSite(db, caller, params, 'view', query.shareKey);
      return (await presentStructure(deps, caller, located)).whole();
    },

    async sortSiteStructure({ caller, params, body: { item, position } }) {
      const neighbours = { before: position.before?.id, after: position.after?.id };
      for (const field of ['before', 'after'] as const) {
        const type = position[field]?.type;
        if (type !== undefined && (type === 'site-space') !== (item.type === 'site-space'))
          throw invalid(`/body/position/${field}`, 'is not a neighbour that it can have', 'position-invalid');
      }
      const { view } = await change(caller, params, 'site.sort', async (locked) => {
        if (item.type === 'site-space') await moveSiteSpace(locked, item.id, neighbours);
        else {
          const kind = item.type === 'site-section' ? 'section' : 'group';
          await moveItem(locked, { kind, id: item.id }, neighbours);
        }
      });
      if (item.type === 'site-space') return await showSiteSpace(view, item.id);
      if (item.type === 'site-section') return await showSection(view, item.id);
      return await showGroup(view, item.id);
    },

    async listSiteSpaces({ caller, params, query }) {
      const located = await requireSite(db, caller, params, 'view', query.shareKey);
      const view = await presentStructure(deps, caller, located);
      const parts = view.siteSpaces.filter(
        ({ isDefault }) => query.default === undefined || isDefault === query.default,
      );
      return pageOf(parts, `spaces of ${located.site.id}`, query, view.siteSpace);
    },

    async addSiteSpace({ caller, params, body }) {
      const { spaceId, sectionId = null } = body;
      const { result, view } = await change(
        caller,
        params,
        'site.add-space',
        async (locked) => await addSpaceAt(locked, spaceId, sectionId),
        { spaceId, after: { space: spaceId } },
      );
      return await showSiteSpace(view, result.id);
    },

    async updateSiteSpace({ caller, params, body }) {
      checkCondition(body.condition, '/body/condition');
      const { view } = await change(
        caller,
        params,
        'site.update-space',
        async (locked) => {
          const { structure } = locked;
          const all = [
            ...structure.siteSpaces,
            ...structure.sections.flatMap(({ siteSpaces }) => siteSpaces),
          ];
          if (!all.some(({ row }) => row.id === params.siteSpaceId))
            throw notFound('site-space with this id in this site');
          if (body.spaceId !== undefined && !locked.spaceIds.has(body.spaceId))
            throw invalid('/body/spaceId', 'is not the id of a space that you may see');
          const siblings = [structure.siteSpaces, ...structure.sections.map((each) => each.siteSpaces)].find(
            (each) => each.some(({ row }) => row.id === params.siteSpaceId),
          );
          requireFreePath(siblings ?? [], params.siteSpaceId, body.path, (id) => {
            const sibling = all.find(({ row }) => row.id === id);
            return `the site-space “${sibling?.row.space.title}”`;
          });
          await freely(locked, (inner) => updateSiteSpace(inner, params.siteSpaceId, body));
        },
        { spaceId: body.spaceId, after: { siteSpace: params.siteSpaceId, ...body } },
      );
      return await showSiteSpace(view, params.siteSpaceId);
    },

    async deleteSiteSpace({ caller, params }) {
      const { siteSpaceId: id } = params;
      await change(
        caller,
        params,
        'site.remove-space',
        async ({ tx, site }) => await deletePart(tx, 'siteSpace', { siteId: site.id, id }),
        { after: { siteSpace: id } },
      );
    },

    async moveSiteSpace({ caller, params, body: { position } }) {
      const neighbours = { before: position.before?.siteSpace, after: position.after?.siteSpace };
      const { view } = await change(caller, params, 'site.sort', (locked) =>
        moveSiteSpace(locked, params.siteSpaceId, neighbours),
      );
      return await showSiteSpace(view, params.siteSpaceId);
    },

    async listSections({ caller, params, query }) {
      const located = await requireSite(db, caller, params, 'view', query.shareKey);
      const view = await presentStructure(deps, caller, located);
      return pageOf(view.structure.sections, `sections of ${located.site.id}`, query, view.section);
    },

    async addSection({ caller, params, body }) {
      const { spaceId, title = null, icon = null } = body;
      const { result, view } = await change(
        caller,
        params,
        'site.add-section',
        async (locked) => await addSection(locked, { spaceId, title, icon }),
        { spaceId, after: { space: spaceId, title } },
      );
      return await showSection(view, result.id);
    },

    async updateSection({ caller, params, body }) {
      checkCondition(body.condition, '/body/condition');
      const { defaultSiteSpace, ...fields } = body;
      const { siteSectionId: id } = params;
      const { view } = await change(
        caller,
        params,
        'site.update-section',
        async (locked) => {
          const { siteSpaces } = requireSection(locked, id);
          if (defaultSiteSpace !== undefined && !siteSpaces.some(({ row }) => row.id === defaultSiteSpace))
            throw invalid('/body/defaultSiteSpace', 'is not a site-space of this section');
          const changed = {
            ...fields,
            ...(defaultSiteSpace === undefined ? {} : { defaultSiteSpaceId: defaultSiteSpace }),
          };
          requireFreePath(locked.structure.sections, id, body.path, (other) => {
            return `the section “${requireSection(locked, other).row.title}”`;
          });
          await freely(locked, (inner) => updateSection(inner, id, changed));
        },
        { after: { section: id, ...body } },
      );
      return await showSection(view, id);
    },

    async deleteSection({ caller, params }) {
      const { siteSectionId: id } = params;
      await change(
        caller,
        params,
        'site.remove-section',
        async ({ tx, site }) => await deletePart(tx, 'section', { siteId: site.id, id }),
        { after: { section: id } },
      );
    },

    async moveSection({ caller, params, body: { position } }) {
      const neighbours = { before: position.before?.siteSection, after: position.after?.siteSection };
      const part = { kind: 'section', id: params.siteSectionId } as const;
      const { view } = await change(caller, params, 'site.sort', (locked) =>
        moveItem(locked, part, neighbours),
      );
      return await showSection(view, params.siteSectionId);
    },

    async listSectionGroups({ caller, params, query }) {
      const located = await requireSite(db, caller, params, 'access');
      const view = await presentStructure(deps, caller, located);
      return pageOf(view.groups, `section groups of ${located.site.id}`, query, view.group);
    },

    async addSectionGroup({ caller, params, body }) {
      const { title, icon = null, parent = null, sections = [] } = body;
      const { result, view } = await change(
        caller,
        params,
        'site.add-section-group',
        async (locked) => {
          const group = await addGroup(locked, { title, icon, parentId: parent });
          for (const [at, id] of [...new Set(sections)].entries()) {
            if (!locked.structure.sections.some(({ row }) => row.id === id))
              throw invalid(`/body/sections/${at}`, 'is not a section of this site');
            await placeAtEnd(locked, id, group.id);
          }
          return group;
        },
        { after: { title } },
      );
      return await showGroup(view, result.id);
    },

    async updateSectionGroup({ caller, params, body }) {
      const { siteSectionGroupId: id } = params;
      const { view } = await change(
        caller,
        params,
        'site.update-section-group',
        async (locked) => {
          requireGroup(locked, id);
          await updateSectionGroup(locked.tx, id, body);
        },
        { after: { sectionGroup: id, ...body } },
      );
      return await showGroup(view, id);
    },

    async deleteSectionGroup({ caller, params }) {
      const { siteSectionGroupId: id } = params;
      await change(
        caller,
        params,
        'site.remove-section-group',
        async (locked) => {
          const found = findParent(locked.structure.items, id);
          if (found?.item.type !== 'group') return;
          const { tx, site } = locked;
          const parentId = found.parent?.row.id ?? null;
          const after = found.siblings[found.siblings.indexOf(found.item) + 1]?.row.position ?? null;
          // Each goes between the one before it and what follows the group, so that they keep their order.
          let before: string | null = found.item.row.position;
          for (const child of found.item.children) {
            const part = { kind: child.type, id: child.row.id, siteId: site.id };
            before = await placeInGroup(tx, part, parentId, { before, after });
          }
          await deletePart(tx, 'group', { siteId: site.id, id });
        },
        { after: { sectionGroup: id } },
      );
    },

    async addSectionToGroup({ caller, params, body }) {
      const { siteSectionGroupId: id } = params;
      const { view } = await change(
        caller,
        params,
        'site.sort',
        async (locked) => {
          requireGroup(locked, id);
          const section = locked.structure.sections.find(({ row }) => row.id === body.sectionId);
          if (section === undefined) throw invalid('/body/sectionId', 'is not a section of this site');
          if (section.row.groupId !== id) await placeAtEnd(locked, section.row.id, id);
        },
        { after: { section: body.sectionId, sectionGroup: id } },
      );
      return await showGroup(view, id);
    },

    async removeSectionFromGroup({ caller, params }) {
      const { siteSectionGroupId: id, siteSectionId } = params;
      await change(
        caller,
        params,
        'site.sort',
        async (locked) => {
          const found = findParent(locked.structure.items, siteSectionId);
          if (found?.item.type !== 'section' || found.parent?.row.id !== id) return;
          await placeAtEnd(locked, siteSectionId, found.parent.row.parentId);
        },
        { after: { section: siteSectionId, sectionGroup: null } },
      );
    },

    async moveSectionGroup({ caller, params, body: { position } }) {
      const neighbours = { before: position.before?.id, after: position.after?.id };
      const part = { kind: 'group', id: params.siteSectionGroupId } as const;
      const { view } = await change(caller, params, 'site.sort', (locked) =>
        moveItem(locked, part, neighbours),
      );
      return await showGroup(view, params.siteSectionGroupId);
    },
  };
}

/** Moves a section to the end of a group, or (null) of the site. */
async function placeAtEnd({ tx, site }: LockedSite, id: string, groupId: string | null): Promise<void> {
  await placeInGroup(tx, { kind: 'section', id, siteId: site.id }, groupId, { before: null, after: null });
}

/** Runs a change of a path or default; throws a 409 if something else of the site has the address already. */
async function freely(locked: LockedSite, run: (tx: Db) => Promise<void>): Promise<void> {
  try {
    await locked.tx.transaction(run);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw new ApiError(
      'address-taken',
      'Something else in this site, perhaps a deleted space, has this path already: choose another one.',
    );
  }
  await requireNoCollision(locked);
}

/** Throws a 409 about a path that a sibling has; also where that needs no segment now, since another may be the default. */
function requireFreePath(
  siblings: readonly { readonly row: { readonly id: string; readonly path: string } }[],
  selfId: string,
  path: string | undefined,
  nameOf: (id: string) => string,
): void {
  const other = siblings.find(({ row }) => row.path === path && row.id !== selfId);
  if (path !== undefined && other !== undefined)
    throw new ApiError(
      'address-taken',
      `The path ${path} belongs to ${nameOf(other.row.id)} already: choose another one.`,
    );
}

/** PostgreSQL's unique_violation. */
function isDuplicate(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code === '23505';
}
