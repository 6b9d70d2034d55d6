import type { Window } from '../../store/index.ts';
import { invalidValue } from './scim-error.ts';

/** The most resources of an answer. */
export const MAX_PAGE = 200;

/** What is sent unless a request says how many. */
const USUAL_PAGE = 100;

/** A list starts at 1, and less counts as 1; a count below 0 counts as 0 (RFC 7644, 3.4.2.4). */
export function readWindow({
  startIndex,
  count,
}: {
  readonly startIndex?: unknown;
  readonly count?: unknown;
}): Window {
  return {
    offset: Math.max(readInteger(startIndex, 'startIndex', 1), 1) - 1,
    limit: Math.min(Math.max(readInteger(count, 'count', USUAL_PAGE), 0), MAX_PAGE),
  };
}

/** An answer with a part of a list (RFC 7644, 3.4.2). */
export function listResponse(
  total: number,
  { offset }: Pick<Window, 'offset'>,
  resources: readonly object[],
): object {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex: offset + 1,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

function readInteger(value: unknown, name: string, usual: number): number {
  if (value === undefined) return usual;
  if (typeof value !== 'string' || !/^-?\d{1,9}$/.test(value)) throw invalidValue(name, 'must be a number');
  return Number(value);
}
