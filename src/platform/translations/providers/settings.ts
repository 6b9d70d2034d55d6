/** The translation services that the operator set up, and their limits. */
export interface TranslationSettings {
  /** `url` is that of an endpoint with OpenAI's chat completions, including `/v1`. */
  readonly openai?: { readonly url: string; readonly key: string | null; readonly model: string } | null;
  readonly deepl?: { readonly url: string; readonly key: string } | null;
  readonly libretranslate?: { readonly url: string; readonly key: string | null } | null;
  /** The most words that one run may send. */
  readonly maxWords: number;
  /** To one host, in any minute. */
  readonly requestsPerMinute: number;
  /** For one request with its answer, in milliseconds. Default 120,000; must be below the limit of the job that sends it. */
  readonly timeoutMs?: number;
}
