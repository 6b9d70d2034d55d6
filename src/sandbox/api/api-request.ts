/** A REST request as received. */
export interface ApiRequest {
  readonly method: string;
  /** Below `/api/v3`, not decoded, without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  /** The kind of its credential, by the form alone. */
  readonly credential: 'app' | 'installation' | 'other';
}

/** A request that the stand-in does not know and answered with 501. */
export interface UnexpectedRequest {
  readonly method: string;
  /** Below `/api/v3`, with its query. */
  readonly path: string;
  readonly body: unknown;
}
