/** One request to a translation service. */
export interface TranslationRequest {
  /** Texts with `<g id>` and `<x id>` in them; see `Segment.text`. */
  readonly texts: readonly string[];
  /** Null to let the provider detect it. */
  readonly from: string | null;
  readonly to: string;
  readonly instructions: string;
  readonly glossary: readonly { readonly term: string; readonly translation: string }[];
}

/** A translation service. Its answers are not trusted: the caller checks each of them. */
export interface Provider {
  /** Identifies the service and its model; texts are translated again when it changes. */
  readonly identity: string;
  /** The `host` or `host:port` that is called; requests are limited per host. */
  readonly host: string;
  /** Whether it is a language model, which follows the agent instructions of the organization, too. */
  readonly followsGuidance: boolean;
  readonly maxTexts: number;
  /** The most of all texts of a request together, in UTF-16 code units. */
  readonly maxLength: number;
  /**
   * Sends one request. The answers are in the order of the texts; null for a text without an answer.
   *
   * @throws {ProviderRefusal} if a retry would not help
   * @throws {ProviderBusy} if the provider requested a pause
   * @throws {RequestTooLarge} if it would accept fewer or shorter texts
   */
  translate(request: TranslationRequest, signal: AbortSignal): Promise<readonly (string | null)[]>;
}
