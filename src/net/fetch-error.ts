export type FetchErrorCode =
  | 'unreachable'
  | 'timeout'
  | 'too-large'
  | 'too-many-redirects'
  | 'bad-redirect'
  | 'bad-json';

const retryableCodes: ReadonlySet<FetchErrorCode> = new Set(['unreachable', 'timeout']);

/** An HTTP request without a usable response. The message is one sentence for people and never contains a query string or a header. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly code: FetchErrorCode;
  /** Whether the same call may succeed later without anyone doing anything. */
  readonly retryable: boolean;

  constructor(code: FetchErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.retryable = retryableCodes.has(code);
  }
}
