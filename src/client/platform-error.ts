/** An answer of the platform other than success. The message is the platform's own sentence. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  /** The HTTP status. */
  readonly status: number;
  /** The same number as in the error's body. */
  readonly code: number;
  /** The stable word for what is wrong, such as `slug-taken`; null where the platform sends none. */
  readonly reason: string | null;
  /** The platform's `x-request-id`, to be found in its log. */
  readonly requestId: string | null;
  readonly details: readonly { readonly path: string; readonly message: string }[];

  constructor(
    status: number,
    message: string,
    options: {
      requestId: string | null;
      reason?: string;
      details?: readonly { path: string; message: string }[];
    },
  ) {
    super(message);
    this.status = status;
    this.code = status;
    this.reason = options.reason ?? null;
    this.requestId = options.requestId;
    this.details = options.details ?? [];
  }

  /** Whether the same call may succeed later without anyone doing anything. */
  get retryable(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}
