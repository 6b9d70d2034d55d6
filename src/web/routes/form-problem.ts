import { PlatformError } from '../../client/index.ts';

/** What is wrong with a form that was sent. */
export interface FormProblem {
  /** The name of the field; null when it is about no single one. */
  readonly field: string | null;
  /** One sentence. */
  readonly sentence: string;
  /** The HTTP status of the page that shows it. */
  readonly status: number;
}

/**
 * Why the platform refused what a form asked for, in words of the form. `labels` has the names of the form's fields by those
 * of the request's body. What is no refusal, or hides that a thing exists, is thrown again.
 */
export function readFormProblem(error: unknown, labels: Readonly<Record<string, string>> = {}): FormProblem {
  if (!(error instanceof PlatformError) || error.status === 401 || error.status >= 500) throw error;
  if (error.status === 404) throw error;
  const [detail] = error.details;
  const field = detail?.path.split('/')[2] ?? null;
  const label = field === null ? undefined : labels[field];
  const sentence =
    detail !== undefined && label !== undefined ? `${label} ${detail.message}.` : error.message;
  return { field: label === undefined ? null : field, sentence, status: error.status };
}
