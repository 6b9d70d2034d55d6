/** The translators that the operator set up. */
export interface TranslationSettings {
  /** The address with `/v1` of an endpoint that speaks OpenAI's chat completions. */
  readonly openai?: { readonly url: string; readonly key: string | null; readonly model: string } | null;
  readonly deepl?: { readonly url: string; readonly key: string } | null;
  readonly libretranslate?: { readonly url: string; readonly key: string | null } | null;
  /** Words that one run may send at most. */
  readonly maxWords: number;
  /** To one host, in any minute. */
  readonly requestsPerMinute: number;
  /** For one request with its answer, in milliseconds. Default 120,000; below the limit of the job that makes it. */
  readonly timeoutMs?: number;
}
