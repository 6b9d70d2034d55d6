import { createHash } from 'node:crypto';
import type { AnyOperation } from '../../contract/index.ts';
import { invalid } from './api-error.ts';

/**
 * Binds the cursors of lists to the path and filters that made them. Elsewhere such a cursor would name a position in
 * another order, or among rows that the filters leave out.
 */
export class ListScope {
  readonly #prefix: string;

  constructor(operation: AnyOperation, params: Readonly<Record<string, string>>, query: object) {
    const filters = Object.entries(query)
      .filter(([name]) => name !== 'page' && name !== 'limit')
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    const named = JSON.stringify([operation.id, params, filters]);
    this.#prefix = `${createHash('sha256').update(named).digest('base64url').slice(0, 12)}.`;
  }

  /** The query with the cursor as the list itself wrote it; throws a 400 for the cursor of another list. */
  open(query: object): object {
    const { page } = query as { page?: string };
    if (page === undefined) return query;
    if (page.startsWith(this.#prefix)) return { ...query, page: page.slice(this.#prefix.length) };
    throw invalid('/query/page', 'is not a page of this list with these filters; start again without it');
  }

  /** An answer with its cursor bound to this list. */
  close(answer: unknown): unknown {
    const { next } = answer as { next?: { page: string } };
    return next === undefined
      ? answer
      : { ...(answer as object), next: { page: `${this.#prefix}${next.page}` } };
  }
}
