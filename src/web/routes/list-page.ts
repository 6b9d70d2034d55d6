import type { FastifyRequest } from 'fastify';
import { readText } from './read-text.ts';

/** In characters, of the cursors of the platform's lists. */
const LONGEST = 2000;

/** The part of a list that the address asks for, as a query of the platform; its first one when it names none. */
export function pageOf(request: FastifyRequest): { readonly page?: string } {
  const page = readText(request.query, 'page', LONGEST);
  return page === '' ? {} : { page };
}

/** The address of the next part of a list; null when this is the last. */
export function nextPage(
  path: string,
  next: { readonly page: string } | undefined,
  query: Readonly<Record<string, string>> = {},
): string | null {
  return next === undefined ? null : `${path}?${new URLSearchParams({ ...query, page: next.page })}`;
}
