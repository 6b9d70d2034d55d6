import type { FastifyRequest } from 'fastify';
import { readText } from './read-text.ts';

/** In characters, of the cursors of the platform's lists. */
const LONGEST = 2000;

/**
 * The part of a list that the address asks for, as a query of the platform; its first one when it names none. Lists that
 * share a page have a name each.
 */
export function pageOf(request: FastifyRequest, name = 'page'): { readonly page?: string } {
  const page = readText(request.query, name, LONGEST);
  return page === '' ? {} : { page };
}

/** The address of the next part of a list; null when this is the last. */
export function nextPage(
  path: string,
  next: { readonly page: string } | undefined,
  query: Readonly<Record<string, string>> = {},
  name = 'page',
): string | null {
  return next === undefined ? null : `${path}?${new URLSearchParams({ ...query, [name]: next.page })}`;
}
