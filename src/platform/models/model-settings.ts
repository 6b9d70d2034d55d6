/** The language model that the operator set up. */
export interface ModelSettings {
  /** That of an endpoint with OpenAI's chat completions, including `/v1`. */
  readonly url: string;
  readonly key: string | null;
  readonly model: string;
  /** The most tokens that all processes together use on one day in UTC. */
  readonly tokensPerDay: number;
  /** For one request with its answer, in milliseconds, unless the request says otherwise. */
  readonly timeoutMs: number;
}
