import { GitError } from '../../git/index.ts';
import { findOutage, type OperationError } from '../../store/index.ts';
import { PageNotRead } from '../../threads/index.ts';

/** The location of the problem in the repository. */
export type FailureLocation = Pick<OperationError, 'path' | 'line' | 'paths'>;

/** Why an operation cannot be done, as a sentence for people; not an internal error. */
export class OperationFailure extends Error {
  override readonly name = 'OperationFailure';
  readonly code: string;
  readonly location: FailureLocation;

  constructor(code: string, message: string, location: FailureLocation = {}) {
    super(message);
    this.code = code;
    this.location = location;
  }
}

/** Another run took over the operation in the meantime, so the results of this run must not be stored. */
export class TakenOver extends Error {
  override readonly name = 'TakenOver';
}

/** The public form of an error, and whether a retry may help. */
export function describeFailure(error: unknown): {
  error: OperationError;
  retryable: boolean;
  known: boolean;
} {
  if (error instanceof OperationFailure) {
    return {
      error: { code: error.code, message: error.message, ...error.location },
      retryable: false,
      known: true,
    };
  }
  if (error instanceof GitError) {
    return { error: { code: error.code, message: error.message }, retryable: error.retryable, known: true };
  }
  if (error instanceof PageNotRead) {
    return { error: { code: 'internal', message: error.message }, retryable: true, known: true };
  }
  const outage = findOutage(error);
  if (outage?.kind === 'disk') {
    return { error: { code: 'disk-full', message: outage.message }, retryable: true, known: true };
  }
  if (outage?.kind === 'objects') {
    return { error: { code: 'object-store', message: outage.message }, retryable: true, known: true };
  }
  return {
    error: {
      code: 'internal',
      message: 'The server had an internal error during this operation; its log has the details.',
    },
    retryable: true,
    known: false,
  };
}
