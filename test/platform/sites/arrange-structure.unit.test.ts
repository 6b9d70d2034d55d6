import { expect, test } from 'vitest';
import { arrangeStructure } from '../../../src/platform/sites/arrange-structure.ts';
import type { SiteSectionGroupRow, SiteSectionRow, SiteSpaceView } from '../../../src/store/index.ts';

const createdAt = new Date(0);
const none = { defaultSectionId: null, defaultSiteSpaceId: null };

function group(id: string, position: string, parentId: string | null = null): SiteSectionGroupRow {
  return { id, siteId: 's', parentId, title: id, icon: null, position, createdAt };
}

function section(id: string, position: string, groupId: string | null = null): SiteSectionRow {
  const rest = { title: id, description: null, icon: null, condition: null, defaultSiteSpaceId: null };
  return { id, siteId: 's', groupId, path: id, position, createdAt, ...rest };
}

function siteSpace(id: string, sectionId: string | null = null): SiteSpaceView {
  const space = { title: id, emoji: null, language: null, visibility: 'private' };
  const content = { revisionId: null, historyId: null, version: null };
  const rest = { condition: null, declaredBy: null, customization: null, position: '1', createdAt };
  return {
    id,
    siteId: 's',
    sectionId,
    spaceId: id,
    path: id,
    ...rest,
    space: { id, ...space, ...content },
  };
}

test('groups and sections share one order, and defaults have no segment', () => {
  const rows = {
    groups: [group('g', '2'), group('h', '1', 'g')],
    sections: [section('a', '1.5'), section('b', '3'), section('c', '0.5', 'g'), section('d', '7', 'h')],
    siteSpaces: [siteSpace('a1', 'a'), siteSpace('d1', 'd'), siteSpace('d2', 'd')],
  };
  const { items, sections, siteSpaces } = arrangeStructure({ ...none, defaultSectionId: 'b' }, rows);
  expect(items).toMatchObject([
    { type: 'section', row: { id: 'a' }, path: 'a' },
    {
      type: 'group',
      row: { id: 'g' },
      children: [
        { type: 'section', row: { id: 'c' } },
        { type: 'group', row: { id: 'h' }, children: [{ row: { id: 'd' } }] },
      ],
    },
    { type: 'section', row: { id: 'b' }, path: '', isDefault: true },
  ]);
  expect(sections.map(({ row }) => row.id)).toEqual(['a', 'c', 'd', 'b']);
  expect(sections[2]?.siteSpaces).toMatchObject([
    { row: { id: 'd1' }, isDefault: true, path: 'd' },
    { row: { id: 'd2' }, isDefault: false, path: 'd/d2' },
  ]);
  expect(siteSpaces).toEqual([]);
});

test('without a chosen default the first one is it', () => {
  const rows = { groups: [], sections: [], siteSpaces: [siteSpace('x'), siteSpace('y')] };
  const paths = (defaultSiteSpaceId: string | null) =>
    arrangeStructure({ ...none, defaultSiteSpaceId }, rows).siteSpaces.map(({ path }) => path);
  expect(paths(null)).toEqual(['', 'y']);
  expect(paths('gone')).toEqual(['', 'y']);
  expect(paths('y')).toEqual(['x', '']);
});
