/** One REST request as it came. */
export interface ApiRequest {
  readonly method: string;
  /** Below `/api/v3`, decoded by nobody, without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  /** What kind of credential came with it, by its form. */
  readonly by: 'app' | 'installation' | 'other';
}

/** A request that was answered 501, because the stand-in does not know it. */
export interface UnexpectedRequest {
  readonly method: string;
  /** Below `/api/v3`, with its query. */
  readonly path: string;
  readonly body: unknown;
}
