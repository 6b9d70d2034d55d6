import { findTags } from '../../dialect/index.ts';

/** An operation of an API as a block names it. */
export interface NamedOperation {
  /** The slug of its specification, or an address. */
  readonly spec: string;
  readonly path: string;
  /** In upper case. */
  readonly method: string;
}

const OPERATION = /^(?:openapi(?:-operation)?|swagger)$/;

/** Returns the operations that the blocks of a page show. */
export function findOperations(markdown: string): readonly NamedOperation[] {
  return findTags(markdown).flatMap(({ name, values }) => namedOperation(name, values) ?? []);
}

/** Returns the operation that a block shows; null for blocks of other kinds, and for one whose operation is incomplete. */
export function namedOperation(kind: string, values: ReadonlyMap<string, string>): NamedOperation | null {
  if (!OPERATION.test(kind)) return null;
  const spec = values.get('spec') ?? values.get('src');
  const path = values.get('path');
  const method = values.get('method')?.toUpperCase();
  return spec === undefined || path === undefined || method === undefined ? null : { spec, path, method };
}
