/** What a repository's configuration has on the platform beside its spaces, for the status page. Times are ISO 8601. */

/** A specification of an API that the configuration names. */
export interface StatusSpec {
  /** Its slug in the organization. */
  readonly name: string;
  readonly organizationId: string;
  /** The file in the repository, or the address. */
  readonly source: { readonly kind: 'file' | 'url'; readonly at: string };
  /** Why it could not be given to the platform or read there. */
  readonly error: string | null;
  /** When its file or address was looked at last; null for never. */
  readonly lookedAt: string | null;
  /** When its address is fetched again; null for a file, which is read when it changes. */
  readonly next: string | null;
}

/** A language that a space is kept in. */
export interface StatusTranslation {
  /** Of the space that is translated; empty for the root. */
  readonly directory: string;
  /** As the platform names it. */
  readonly language: string;
  readonly organizationId: string;
  /** Null until it is made. */
  readonly translationId: string | null;
  /** Whether the configuration still names it; if not, it stays as it is. */
  readonly isNamed: boolean;
  /** Why it does not follow its space. */
  readonly error: string | null;
  /** When it is run next: by its schedule, or after a failure; null where the next change of the space decides. */
  readonly next: string | null;
  /** Words that one run may send; null where another server decides. */
  readonly maxWords: number | null;
}
