import { posix } from 'node:path';
import type { BodyOf, ContentChange, Operations } from '../../contract/index.ts';
import { ApiError, invalid } from '../api/api-error.ts';
import { fillPage, placeholdersOf, type Template } from './template.ts';

/** The content that a template is written into. */
export interface Ground {
  /** The folder of the space; '' for the root. */
  readonly directory: string;
  /** All paths of the repository. */
  readonly paths: Iterable<string>;
  /** The path of a file by its id; undefined when there is no such file. */
  readonly pathOfFile: (id: string) => string | undefined;
}

type ContentRefs = NonNullable<BodyOf<Operations['applyTemplate']>['params']>['contentRefs'];

/** The changes that write a template. Files that are there stay; a 409 when all of them are. */
export function writeTemplate(
  template: Template,
  contentRefs: ContentRefs = {},
  ground: Ground,
): ContentChange[] {
  const files = findFiles(template, contentRefs, ground);
  // For some file systems README.md and readme.md are the same file.
  const existing = new Set([...ground.paths].map((path) => path.toLowerCase()));
  const changes = Object.entries(template.files).flatMap(([name, text]): ContentChange[] => {
    const path = posix.join(ground.directory, name);
    if (existing.has(path.toLowerCase())) return [];
    const address = (file: string) => addressFrom(path, files.get(file));
    return [{ type: 'write', path, text: fillPage(text, address) }];
  });
  if (changes.length > 0) return changes;
  throw new ApiError(
    'nothing-to-change',
    `All files of the template ${template.id} are there already, so nothing is written.`,
  );
}

/** The paths of the files that replace placeholders. */
function findFiles(
  template: Template,
  contentRefs: NonNullable<ContentRefs>,
  ground: Ground,
): ReadonlyMap<string, string> {
  const known = placeholdersOf(template);
  return new Map(
    Object.entries(contentRefs).map(([name, { file }]) => {
      const at = `/body/params/contentRefs/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (!known.has(name)) {
        const names = [...known].toSorted().join(', ');
        throw invalid(at, `is no placeholder of this template; it has ${names || 'none'}`);
      }
      const path = ground.pathOfFile(file);
      if (path === undefined) throw invalid(`${at}/file`, 'is no file of this content');
      return [name, path];
    }),
  );
}

/** A relative link, with what Markdown would read as something else escaped. */
function addressFrom(page: string, file: string | undefined): string | null {
  if (file === undefined) return null;
  const relative = posix.relative(posix.dirname(page), file);
  return relative
    .split('/')
    .map((part) => encodeURIComponent(part).replaceAll('(', '%28').replaceAll(')', '%29'))
    .join('/');
}
