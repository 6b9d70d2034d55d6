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
const WEBHOOK = 'openapi-webhook';

/** Where a webhook stands among the paths of its specification, which begin with a slash. */
export function webhookPath(name: string): string {
  return `webhook:${name}`;
}

/** Names an operation of a page, as a block does. */
export function operationKey(
  spec: string,
  {
    method,
    path,
    isWebhook = false,
  }: { readonly method: string; readonly path: string; readonly isWebhook?: boolean },
): string {
  return `${spec} ${method} ${isWebhook ? webhookPath(path) : path}`;
}

/** Returns the operations that the blocks of a page show. */
export function findOperations(markdown: string): readonly NamedOperation[] {
  return findTags(markdown).flatMap(({ name, values }) => namedOperation(name, values) ?? []);
}

/** Returns the operation that a block shows; null for blocks of other kinds, and for one whose operation is incomplete. */
export function namedOperation(kind: string, values: ReadonlyMap<string, string>): NamedOperation | null {
  const isWebhook = kind === WEBHOOK;
  if (!isWebhook && !OPERATION.test(kind)) return null;
  const spec = values.get('spec') ?? values.get('src');
  const name = values.get(isWebhook ? 'name' : 'path');
  const method = values.get('method')?.toUpperCase();
  if (spec === undefined || name === undefined || method === undefined) return null;
  return { spec, path: isWebhook ? webhookPath(name) : name, method };
}
