/** The translation services that the operator set up, besides the language model, and the limits of all. */
export interface TranslationSettings {
  readonly deepl?: { readonly url: string; readonly key: string } | null;
  readonly libretranslate?: { readonly url: string; readonly key: string | null } | null;
  /** The most words that one run may send. */
  readonly maxWords: number;
  /** To one host, in any minute. */
  readonly requestsPerMinute: number;
  /** For one request with its answer, in milliseconds. Default 120,000; must be below the limit of the job that sends it. */
  readonly timeoutMs?: number;
}
