import { type ErrorBody, type ErrorReason, errorReasons } from '../../contract/index.ts';

export interface ErrorDetail {
  /** A JSON pointer into the request, such as `/body/title`. */
  readonly path: string;
  readonly message: string;
}

/** An answer with a status of 400 or above. The message is one sentence that names the field or the thing. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly reason: ErrorReason;
  readonly details: readonly ErrorDetail[];

  constructor(reason: ErrorReason, message: string, details: readonly ErrorDetail[] = []) {
    super(message);
    this.reason = reason;
    this.details = details;
  }

  /** The HTTP status. */
  get status(): number {
    return errorReasons[this.reason].status;
  }

  toBody(): ErrorBody {
    return {
      error: {
        code: this.status,
        reason: this.reason,
        message: this.message,
        ...(this.details.length > 0 ? { details: [...this.details] } : {}),
      },
    };
  }
}

/** A 404 for what does not exist or is not visible to the caller: the answer never distinguishes the two. */
export function notFound(what: string): ApiError {
  return new ApiError('not-found', `There is no ${what} that you may see.`);
}

/** For an invalid field of the request; `path` is a JSON pointer, `message` continues the sentence after the field's name. */
export function invalid(path: string, message: string, reason: ErrorReason = 'invalid-request'): ApiError {
  return new ApiError(reason, describeDetail({ path, message }), [{ path, message }]);
}

/** A 400 with all problems of a request in its details; the message is about the first. */
export function invalidRequest(details: readonly ErrorDetail[]): ApiError {
  const [first] = details;
  if (!first) return new ApiError('invalid-request', 'The request is not valid.');
  return new ApiError('invalid-request', describeDetail(first), details);
}

function describeDetail({ path, message }: ErrorDetail): string {
  const [, part = 'request', ...names] = path.split('/');
  const where = part === 'body' ? 'the body' : part === 'query' ? 'the query' : `the ${part}`;
  if (names.length === 0) return `${where[0]?.toUpperCase()}${where.slice(1)} ${message}.`;
  return `The field ${names.join('.')} of ${where} ${message}.`;
}
