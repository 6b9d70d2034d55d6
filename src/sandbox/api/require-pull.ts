import { findPull } from '../state/find-records.ts';
import type { PullRecord } from '../state/records.ts';
import { notFoundError } from './api-error.ts';
import { numberParam, type RepositoryCall } from './route.ts';

/** The pull request that the path names. Throws a 404. */
export function requirePull(call: RepositoryCall): PullRecord {
  const found = findPull(call.context.data, call.repository.id, numberParam(call, 'number'));
  if (!found) throw notFoundError();
  return found;
}
