import type { PullRecord } from '../state/records.ts';
import { notFoundError } from './api-error.ts';
import { numberParam, type RepositoryCall } from './route.ts';

/** The pull request that the path names. Throws a 404. */
export function findPull(call: RepositoryCall): PullRecord {
  const number = numberParam(call, 'number');
  const found = call.context.data.pulls.find(
    (pull) => pull.repositoryId === call.repository.id && pull.number === number,
  );
  if (!found) throw notFoundError();
  return found;
}
