import type { ChangeRequestRow, ChangeRequestView } from '../../store/index.ts';
import { ApiError, notFound } from '../api/api-error.ts';

/** Returns the change request if it can still be changed; throws a 409 if it was merged or is archived. */
export function requireUnmerged(found: ChangeRequestView | null): ChangeRequestRow {
  if (found === null) throw notFound('change request with this id or number in this space');
  const { row } = found;
  if (row.status === 'merged') {
    throw new ApiError(
      'already-merged',
      `Change request ${row.number} was merged, so it cannot be changed; create another one.`,
    );
  }
  if (row.status === 'archived') {
    throw new ApiError(
      'archived',
      `Change request ${row.number} is archived; set its status to draft or open first.`,
    );
  }
  return row;
}
