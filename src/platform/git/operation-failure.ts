import { GitError } from '../../git/index.ts';
import type { OperationError } from '../../store/index.ts';

/** Where in the repository the problem is. */
export type FailureLocation = Pick<OperationError, 'path' | 'line' | 'paths'>;

/** Why an operation cannot be done, as a sentence for people; not an internal error. */
export class OperationFailure extends Error {
  override readonly name = 'OperationFault';
  readonly code: string;
  readonly place: FailureLocation;

  constructor(code: string, message: string, place: FailureLocation = {}) {
    super(message);
    this.code = code;
    this.place = place;
  }
}

/** Another run took over the operation in the meantime, so the results of this run must not be stored. */
export class TakenOver extends Error {
  override readonly name = 'LostTurn';
}

/** The public form of an error, and whether a retry may help. */
export function describeFailure(error: unknown): {
  error: OperationError;
  retryable: boolean;
  known: boolean;
} {
  if (error instanceof OperationFailure) {
    return {
      error: { code: error.code, message: error.message, ...error.place },
      retryable: false,
      known: true,
    };
  }
  if (error instanceof GitError) {
    return { error: { code: error.code, message: error.message }, retryable: error.retryable, known: true };
  }
  return {
    error: {
      code: 'internal',
      message: 'The server had an internal error while it worked on this; its log has more.',
    },
    retryable: true,
    known: false,
  };
}
