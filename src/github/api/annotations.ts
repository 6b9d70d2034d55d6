import { quoteNames } from './markdown.ts';

/** One annotation in the shape of the checks API. https://docs.github.com/rest/checks/runs#create-a-check-run */
export interface Annotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  /** Only where the annotation stays on one line; the end is inclusive. */
  readonly start_column?: number;
  readonly end_column?: number;
  readonly annotation_level: 'failure' | 'warning';
  readonly title: string;
  readonly message: string;
}

/** The API accepts at most 50 annotations in a request. */
export const ANNOTATIONS_PER_REQUEST = 50;

/** More would overwhelm the reader; the report page has the rest. */
export const ANNOTATIONS_PER_CHECK = 500;

/** Splits annotations, as GitHub shows them, into batches of at most 50, in order; a single empty batch when there are none. */
export function batch(annotations: readonly Annotation[]): readonly (readonly Annotation[])[] {
  const batches: (readonly Annotation[])[] = [];
  for (let start = 0; start < annotations.length; start += ANNOTATIONS_PER_REQUEST) {
    batches.push(annotations.slice(start, start + ANNOTATIONS_PER_REQUEST).map(withPlainText));
  }
  return batches.length === 0 ? [[]] : batches;
}

/** An annotation whose texts are those that people read. */
export function withPlainText<Shown extends Pick<Annotation, 'title' | 'message'>>(annotation: Shown): Shown {
  return { ...annotation, title: quoteNames(annotation.title), message: quoteNames(annotation.message) };
}
