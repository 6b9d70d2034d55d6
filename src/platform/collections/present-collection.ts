import type { Collection } from '../../contract/index.ts';
import type { CollectionRow } from '../../store/index.ts';
import { presentLevel } from '../access/default-level.ts';
import { collectionRights, permissionsAt, type Standing } from '../access/roles.ts';

/** The public fields of a collection. */
export function presentCollection(row: CollectionRow, standing: Standing, publicUrl: string): Collection {
  return {
    object: 'collection',
    id: row.id,
    title: row.title,
    organization: row.organizationId,
    defaultLevel: presentLevel(row.defaultLevel),
    urls: {
      location: `${publicUrl}/v1/collections/${row.id}`,
      app: `${publicUrl}/collections/${row.id}`,
    },
    permissions: permissionsAt(collectionRights, standing),
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.parentId === null ? {} : { parent: row.parentId }),
  };
}
