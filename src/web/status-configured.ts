/** What a repository's configuration declares besides spaces, for the status page. Times are ISO 8601. */

/** An API specification that the configuration names. */
export interface StatusSpec {
  /** The slug in the organization. */
  readonly name: string;
  readonly organizationId: string;
  /** `at`: the path in the repository, or the URL. */
  readonly source: { readonly kind: 'file' | 'url'; readonly at: string };
  /** Why it could not be uploaded to the platform or parsed there. */
  readonly error: string | null;
  /** When its file or URL was last checked; null for never. */
  readonly lookedAt: string | null;
  /** When its URL is fetched next; null for a file, which is read when it changes. */
  readonly next: string | null;
}

/** A translation of a space into one language. */
export interface StatusTranslation {
  /** Of the translated space; empty for the root. */
  readonly directory: string;
  /** In the platform's spelling, such as `pt-br`. */
  readonly language: string;
  readonly organizationId: string;
  /** Null until it is created. */
  readonly translationId: string | null;
  /** Whether the configuration still names it; if not, it is no longer updated. */
  readonly isNamed: boolean;
  /** Why it cannot be updated. */
  readonly error: string | null;
  /** When it runs next by its schedule; null when the next change of the space starts it. */
  readonly next: string | null;
  /** The largest number of words that one run may send; null when the platform is another server. */
  readonly maxWords: number | null;
}
