import { type Static, Type } from 'typebox';
import type { AnnotationRecord, CheckRunRecord } from '../state/records.ts';
import { ForgeApiError, invalidError } from './api-error.ts';

/** https://docs.github.com/en/rest/checks/runs: the limits of a request. */
const MAX_ANNOTATIONS = 50;
const MAX_TEXT = 65_535;
const MAX_MESSAGE_BYTES = 64 * 1024;
const MAX_RAW_DETAILS_BYTES = 64 * 1024;
const MAX_TITLE = 255;

const Annotation = Type.Object({
  path: Type.String({ minLength: 1 }),
  start_line: Type.Integer({ minimum: 1 }),
  end_line: Type.Integer({ minimum: 1 }),
  start_column: Type.Optional(Type.Integer({ minimum: 1 })),
  end_column: Type.Optional(Type.Integer({ minimum: 1 })),
  annotation_level: Type.Enum(['notice', 'warning', 'failure']),
  message: Type.String({ minLength: 1 }),
  title: Type.Optional(Type.String({ maxLength: MAX_TITLE })),
  raw_details: Type.Optional(Type.String()),
});

const Output = Type.Object({
  title: Type.Optional(Type.String()),
  summary: Type.Optional(Type.String()),
  text: Type.Optional(Type.String()),
  annotations: Type.Optional(Type.Array(Annotation, { maxItems: MAX_ANNOTATIONS })),
});

const Action = Type.Object({
  label: Type.String({ maxLength: 20 }),
  description: Type.String({ maxLength: 40 }),
  identifier: Type.String({ maxLength: 20 }),
});

const conclusions = ['action_required', 'cancelled', 'failure', 'neutral', 'skipped', 'success', 'timed_out'];

/** The fields of both requests; `name` and `head_sha` are checked where the run is created. */
export const CheckRunInput = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1 })),
  head_sha: Type.Optional(Type.String()),
  details_url: Type.Optional(Type.String({ pattern: '^https?://' })),
  external_id: Type.Optional(Type.String()),
  status: Type.Optional(Type.Enum(['queued', 'in_progress', 'completed'])),
  conclusion: Type.Optional(Type.Enum(conclusions)),
  started_at: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT' })),
  completed_at: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT' })),
  output: Type.Optional(Output),
  actions: Type.Optional(Type.Array(Action, { maxItems: 3 })),
});
export type CheckRunInput = Static<typeof CheckRunInput>;

/** Checks the rules that span fields. Throws GitHub's 422 for the first violation. */
export function checkRules(input: CheckRunInput, before: CheckRunRecord | null): void {
  const { output } = input;
  if (output && before === null && (output.title === undefined || output.summary === undefined)) {
    throw new ForgeApiError(422, 'Invalid request.\n\n"title" and "summary" weren\'t supplied in output.');
  }
  if (output && output.summary === undefined && (before?.summary ?? null) === null) {
    throw new ForgeApiError(422, 'Invalid request.\n\n"summary" wasn\'t supplied in output.');
  }
  for (const field of ['summary', 'text'] as const) {
    if ((output?.[field]?.length ?? 0) > MAX_TEXT) {
      throw invalidError('CheckRun', field, `Only ${MAX_TEXT} characters are allowed`);
    }
  }
  if (
    input.status === 'completed' &&
    input.conclusion === undefined &&
    (before?.conclusion ?? null) === null
  ) {
    throw invalidError(
      'CheckRun',
      'conclusion',
      'conclusion is required when status is completed',
      'missing_field',
    );
  }
  for (const annotation of output?.annotations ?? []) checkAnnotation(annotation);
}

function checkAnnotation(annotation: Static<typeof Annotation>): void {
  const { start_line, end_line, start_column, end_column } = annotation;
  const columns = start_column !== undefined || end_column !== undefined;
  if (end_line < start_line) {
    throw invalidError('CheckAnnotation', 'end_line', 'end_line must be greater than or equal to start_line');
  }
  if (columns && start_line !== end_line) {
    throw invalidError(
      'CheckAnnotation',
      'start_column',
      'columns are only allowed when start_line and end_line are the same',
    );
  }
  if (start_column !== undefined && end_column !== undefined && end_column < start_column) {
    throw invalidError(
      'CheckAnnotation',
      'end_column',
      'end_column must be greater than or equal to start_column',
    );
  }
  if (Buffer.byteLength(annotation.message) > MAX_MESSAGE_BYTES) {
    throw invalidError('CheckAnnotation', 'message', 'message is too long (maximum is 64 KB)');
  }
  if (Buffer.byteLength(annotation.raw_details ?? '') > MAX_RAW_DETAILS_BYTES) {
    throw invalidError('CheckAnnotation', 'raw_details', 'raw_details is too long (maximum is 64 KB)');
  }
}

/** The records of a request's annotations. */
export function annotationRecords(input: CheckRunInput): AnnotationRecord[] {
  return (input.output?.annotations ?? []).map((annotation) => ({
    path: annotation.path,
    start_line: annotation.start_line,
    end_line: annotation.end_line,
    start_column: annotation.start_column ?? null,
    end_column: annotation.end_column ?? null,
    annotation_level: annotation.annotation_level as AnnotationRecord['annotation_level'],
    message: annotation.message,
    title: annotation.title ?? null,
    raw_details: annotation.raw_details ?? null,
  }));
}
