import type { ApiReportSpec } from '../../content/report/index.ts';
import { ANNOTATIONS_PER_CHECK, type Annotation } from '../../github/index.ts';

const MESSAGE_LENGTH = 2_000;

/** Annotates mistakes first, each on its line; then breaking changes, on the nearest line that the head has. */
export function annotateSpecs(specs: readonly ApiReportSpec[]): readonly Annotation[] {
  const problems = specs.flatMap(({ name, problems }) =>
    problems.map(({ file, line, message }) =>
      annotationOf({ file, line }, { annotation_level: 'failure', title: `Mistake in ${name}`, message }),
    ),
  );
  const changes = specs.flatMap(({ name, breakingChanges, changes }) =>
    changes.flatMap(({ breaking, nearest, message, why }) =>
      breaking
        ? annotationOf(nearest, {
            annotation_level: breakingChanges === 'fail' ? 'failure' : 'warning',
            title: `Breaking change of ${name}`,
            message: `${message}${why === null ? '' : ` ${why}`}`,
          })
        : [],
    ),
  );
  return [...problems, ...changes].slice(0, ANNOTATIONS_PER_CHECK);
}

function annotationOf(
  { file, line }: { readonly file: string; readonly line: number },
  fields: Pick<Annotation, 'annotation_level' | 'title' | 'message'>,
): Annotation {
  const message = fields.message.slice(0, MESSAGE_LENGTH);
  return { path: file, start_line: line, end_line: line, ...fields, message };
}
