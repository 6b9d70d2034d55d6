/** The language model that the operator set up. */
export interface ModelSettings {
  /** That of an endpoint with OpenAI's chat completions, including `/v1`. */
  readonly url: string;
  readonly key: string | null;
  readonly model: string;
  /** The most tokens that all processes together use on one day in UTC; translations have a limit of their own. */
  readonly tokensPerDay: number;
  /** For one request with its answer, in milliseconds. */
  readonly timeoutMs: number;
}
