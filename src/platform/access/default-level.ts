import type { Space } from '../../contract/index.ts';
import { toRole } from './roles.ts';

type DefaultLevel = Space['defaultLevel'];

/** The public default level of a space or collection, which is stored as null where it inherits. */
export function presentLevel(stored: string | null): DefaultLevel {
  return (stored === null ? null : toRole(stored)) ?? 'inherit';
}

/** Changes as they are stored: without a level of its own, a space or collection inherits. */
export function withStoredLevel<Changes extends { readonly defaultLevel?: DefaultLevel | null }>(
  changes: Changes,
): Omit<Changes, 'defaultLevel'> & { readonly defaultLevel?: string | null } {
  return changes.defaultLevel === 'inherit' ? { ...changes, defaultLevel: null } : changes;
}
