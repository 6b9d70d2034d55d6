import { posix } from 'node:path';
import type { BodyOf, ContentChange, Operations } from '../../contract/index.ts';
import { ApiError, invalid } from '../api/api-error.ts';
import { fillPage, placeholdersOf, type Template } from './template.ts';

/** The content that a template is written into. */
export interface TemplateTarget {
  /** The folder of the space; '' for the root. */
  readonly directory: string;
  /** All paths of the repository. */
  readonly paths: Iterable<string>;
  /** The path of a file by its id; undefined if there is no such file. */
  readonly pathOfFile: (id: string) => string | undefined;
}

type ContentRefs = NonNullable<BodyOf<Operations['applyTemplate']>['params']>['contentRefs'];

/** The changes that write a template. Existing files stay as they are; throws a 409 if all of its files exist. */
export function writeTemplate(
  template: Template,
  contentRefs: ContentRefs = {},
  target: TemplateTarget,
): ContentChange[] {
  const files = findFiles(template, contentRefs, target);
  // For some file systems README.md and readme.md are the same file.
  const existing = new Set([...target.paths].map((path) => path.toLowerCase()));
  const changes = Object.entries(template.files).flatMap(([name, text]): ContentChange[] => {
    const path = posix.join(target.directory, name);
    if (existing.has(path.toLowerCase())) return [];
    const address = (file: string) => addressFrom(path, files.get(file));
    return [{ type: 'write', path, text: fillPage(text, address) }];
  });
  if (changes.length > 0) return changes;
  throw new ApiError(
    'nothing-to-change',
    `All files of the template ${template.id} already exist, so nothing is written.`,
  );
}

/** The paths of the files that replace placeholders. */
function findFiles(
  template: Template,
  contentRefs: NonNullable<ContentRefs>,
  target: TemplateTarget,
): ReadonlyMap<string, string> {
  const known = placeholdersOf(template);
  return new Map(
    Object.entries(contentRefs).map(([name, { file }]) => {
      const at = `/body/params/contentRefs/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (!known.has(name)) {
        const names = [...known].toSorted().join(', ');
        throw invalid(at, `is not a placeholder of this template; it has ${names || 'none'}`);
      }
      const path = target.pathOfFile(file);
      if (path === undefined) throw invalid(`${at}/file`, 'is not a file of this content');
      return [name, path];
    }),
  );
}

/** A relative link, with the characters escaped that have a meaning in Markdown. */
function addressFrom(page: string, file: string | undefined): string | null {
  if (file === undefined) return null;
  const relative = posix.relative(posix.dirname(page), file);
  return relative
    .split('/')
    .map((part) => encodeURIComponent(part).replaceAll('(', '%28').replaceAll(')', '%29'))
    .join('/');
}
