/** The first pages of a space. */
export interface Template {
  readonly id: string;
  /** One sentence for people. */
  readonly summary: string;
  /** Markdown by path, below the folder of the space. `{{file:name}}` stands for the address of a file of the space. */
  readonly files: Readonly<Record<string, string>>;
}

const placeholder = /\{\{file:([a-z][a-z0-9-]*)\}\}/g;

/** The names of the files that a template can show. */
export function placeholdersOf({ files }: Template): ReadonlySet<string> {
  const names = Object.values(files).flatMap((text) =>
    [...text.matchAll(placeholder)].map((match) => match[1] ?? ''),
  );
  return new Set(names);
}

/**
 * The text of a template's page. `addressOf` returns a file's address as a link from this page, or null for a file that
 * the request leaves out: then the placeholder is removed with its line.
 */
export function fillPage(text: string, addressOf: (name: string) => string | null): string {
  const lines = text.split('\n').flatMap((line) => {
    const names = [...line.matchAll(placeholder)].map((match) => match[1] ?? '');
    if (names.some((name) => addressOf(name) === null)) return [];
    return [line.replaceAll(placeholder, (_whole, name: string) => addressOf(name) ?? '')];
  });
  // Of the two blank lines around a removed line, one stays.
  return lines.join('\n').replaceAll(/\n{3,}/g, '\n\n');
}
