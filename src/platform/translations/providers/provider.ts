/** What is asked of a translator at once. */
export interface TranslationRequest {
  /** Texts with `<g id>` and `<x id>` in them; see `Segment.text`. */
  readonly texts: readonly string[];
  /** Absent to let the provider tell. */
  readonly from: string | null;
  readonly to: string;
  readonly instructions: string;
  readonly glossary: readonly { readonly term: string; readonly translation: string }[];
}

/** Translators differ in this alone. They are not trusted: each answer is judged by whoever asked. */
export interface Provider {
  /** Names who translates and by what; another one translates anew. */
  readonly identity: string;
  /** `host` or `host:port` that is called, whose limits count. */
  readonly host: string;
  readonly maxTexts: number;
  /** Of all texts of a request, in UTF-16 code units. */
  readonly maxLength: number;
  /**
   * One request. The answers stand in the order of the texts; null where there is none.
   *
   * @throws {ProviderRefusal} when asking again would change nothing
   * @throws {ProviderBusy} when the provider asked for a pause
   * @throws {RequestTooLarge} when it would take fewer or shorter texts
   */
  translate(request: TranslationRequest, signal: AbortSignal): Promise<readonly (string | null)[]>;
}

/** The provider will not translate until a person does something. One sentence for people, nothing secret. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
}

export class ProviderBusy extends Error {
  override readonly name = 'ProviderBusy';
  /** How long it asked to wait, in milliseconds; null where it did not say. */
  readonly afterMs: number | null;

  constructor(afterMs: number | null, message: string) {
    super(message);
    this.afterMs = afterMs;
  }
}

export class RequestTooLarge extends Error {
  override readonly name = 'RequestTooLarge';
}
