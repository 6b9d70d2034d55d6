import { GitError } from '../../git/index.ts';
import type { OperationError } from '../../store/index.ts';

/** Where in the repository a fault is. */
export type FaultPlace = Pick<OperationError, 'path' | 'line' | 'paths'>;

/** Why an operation cannot be done, as a sentence for people; nobody's machinery is broken. */
export class OperationFault extends Error {
  override readonly name = 'OperationFault';
  readonly code: string;
  readonly place: FaultPlace;

  constructor(code: string, message: string, place: FaultPlace = {}) {
    super(message);
    this.code = code;
    this.place = place;
  }
}

/** Another run took the operation over while this one was at work; what this one did must not be kept. */
export class LostTurn extends Error {
  override readonly name = 'LostTurn';
}

/** What an operation says about an error, and whether another try may mend it. */
export function describeFault(error: unknown): { error: OperationError; retryable: boolean; known: boolean } {
  if (error instanceof OperationFault) {
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
