/** The texts of translations, for people who correct them. */

/**
 * `machine`: the provider translated it. `corrected`: a person did. `outdated`: a person corrected what the text was before.
 * `missing`: it is still in the language of the source.
 */
export const SEGMENT_STATES = ['machine', 'corrected', 'outdated', 'missing'] as const;
export type SegmentState = (typeof SEGMENT_STATES)[number];

/** A page of the source, with how many of its texts are in which state. */
export interface TranslatedPage {
  readonly path: string;
  readonly counts: Readonly<Record<SegmentState, number>>;
}

export interface CorrectionAuthor {
  /** Null when it was written in the result, or whoever wrote it is gone. */
  readonly name: string | null;
  /** ISO 8601. */
  readonly at: string;
}

export interface TranslatedSegment {
  /** Names it in its page, as long as its source stays. */
  readonly key: string;
  /** From 1. */
  readonly line: number;
  /** As written in the page. */
  readonly source: string;
  /** The same of the result; null where there is none. */
  readonly translation: string | null;
  readonly state: SegmentState;
  /** Why there is no translation; null where there is one, or none was requested. */
  readonly reason: string | null;
  /** Null unless it is corrected. */
  readonly correctedBy: CorrectionAuthor | null;
  /** What the text was when it was corrected, and how; null unless it is outdated. */
  readonly before: {
    readonly source: string;
    readonly translation: string;
    readonly by: CorrectionAuthor;
  } | null;
  /** Changes with the translation. */
  readonly version: string;
}

export interface TranslationName {
  readonly organizationId: string;
  readonly translationId: string;
}

export type CorrectionOutcome =
  | { readonly kind: 'saved' }
  /** The page no longer has the text. */
  | { readonly kind: 'gone' }
  /** Somebody, or a run, changed the translation since it was shown. */
  | { readonly kind: 'changed' }
  /** `reason` is a part of a sentence. */
  | { readonly kind: 'refused'; readonly reason: string };

/** The texts of translations, for people who correct them. Null is for who may not see the translation, its source or its result. */
export interface TranslationSegments {
  /** The pages, in the order of their paths, after `after`; those in which `state` occurs, if it is given. */
  listPages(
    token: string,
    name: TranslationName,
    query: { readonly state: SegmentState | null; readonly after: string | null },
  ): Promise<{
    readonly pages: readonly TranslatedPage[];
    /** Continue after this path; null at the end. */
    readonly next: string | null;
    /** Why it is unknown what the provider translated; null when it is known. */
    readonly problem: string | null;
  } | null>;
  /** The texts of a page from position `from` on, in their order; null also for a page that there is not. */
  readPage(
    token: string,
    name: TranslationName,
    query: { readonly path: string; readonly state: SegmentState | null; readonly from: number },
  ): Promise<{
    readonly page: TranslatedPage;
    readonly segments: readonly TranslatedSegment[];
    /** Continue from this position; null at the end. */
    readonly next: number | null;
    readonly mayCorrect: boolean;
    readonly problem: string | null;
  } | null>;
  /** Writes a correction, or takes it back, and requests the run that puts it into the result. */
  correct(
    token: string,
    name: TranslationName,
    correction: {
      readonly path: string;
      readonly key: string;
      readonly version: string;
      /** In Markdown; null takes the correction back. */
      readonly markdown: string | null;
    },
  ): Promise<CorrectionOutcome | null>;
}
