import { GitError } from '../../git/index.ts';
import type { OperationError } from '../../store/index.ts';

/** Where in the repository a fault is. */
export type FailureLocation = Pick<OperationError, 'path' | 'line' | 'paths'>;

/** Why an operation cannot be done, as a sentence for people; nobody's machinery is broken. */
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

/** Another run took the operation over while this one was at work; what this one did must not be kept. */
export class TakenOver extends Error {
  override readonly name = 'LostTurn';
}

/** What an operation says about an error, and whether another try may mend it. */
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
