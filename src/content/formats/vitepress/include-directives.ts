/** A file that VitePress includes in a page (https://vitepress.dev/guide/markdown#markdown-file-inclusion). */
export interface VitepressInclude {
  /** The path as written. */
  readonly target: string;
  /** The included part of the file, such as `#region{2,10}`; `SNIPPET` for a snippet of code. */
  readonly part: string;
  /** The text after the path of a snippet: `#region{lines lang} [title]`. */
  readonly options: string;
  /** The text before it on its line, which is repeated before each line of code. */
  readonly indent: string;
  /** Offsets in the source. */
  readonly start: number;
  readonly end: number;
}

/** The `part` of a snippet of code (`<<< @/file.ts`), whose text does not belong to the page. */
export const SNIPPET = '<<<';

interface ReadableLine {
  readonly text: string;
  readonly line: number;
  readonly offset: number;
  readonly inScript: boolean;
}

/** The lines of a page outside fenced code. */
export function* linesOutsideCode(source: string): Iterable<ReadableLine> {
  let fence: string | null = null;
  let inScript = false;
  let inComment = false;
  let line = 0;
  let offset = 0;
  for (const text of source.split('\n')) {
    line += 1;
    const start = offset;
    offset += text.length + 1;
    const fenceMarker = /^\s*(?:>\s*)*(`{3,}|~{3,})/.exec(text)?.[1];
    if (fenceMarker !== undefined) {
      if (fence === null) fence = fenceMarker;
      else if (fenceMarker.startsWith(fence)) fence = null;
      continue;
    }
    if (fence !== null) continue;
    // One that stands in a comment is not run.
    if (!inComment && /^\s{0,3}<script\b/i.test(text)) inScript = true;
    yield { text, line, offset: start, inScript };
    if (text.includes('</script>')) inScript = false;
    if (!inScript) inComment = staysInComment(text, inComment);
  }
}

/** Whether a comment is open behind a line; `isOpen` says whether one is before it. */
function staysInComment(text: string, isOpen: boolean): boolean {
  const start = text.lastIndexOf('<!--');
  const end = text.lastIndexOf('-->');
  return start === -1 && end === -1 ? isOpen : start > end;
}

/** The files that a line includes; the line starts at `offset` of its source. */
export function* includesOf(text: string, offset: number): Iterable<VitepressInclude> {
  for (const match of text.includes('@include:')
    ? text.matchAll(/<!--\s{0,9}@include:\s{0,9}(.{0,500}?)\s{0,9}-->/g)
    : []) {
    const content = match[1] ?? '';
    const target = content.replace(/\{\d*,\d*\}$/, '').replace(/#[^\s{]+$/, '');
    const start = offset + match.index;
    yield {
      target,
      part: content.slice(target.length),
      options: '',
      indent: '',
      start,
      end: start + match[0].length,
    };
  }
  const snippet = /^(\s{0,12}(?:>\s{0,3}){0,5})<<<\s{0,20}(\S.{0,1000})$/.exec(text);
  if (snippet === null) return;
  const [, indent = '', content = ''] = snippet;
  const target = snippetFile(content);
  yield {
    target,
    part: SNIPPET,
    options: content.trim().slice(target.length),
    indent,
    start: offset + indent.length,
    end: offset + text.trimEnd().length,
  };
}

/** `path#region{lines lang} [title]` → the path, which may contain spaces. */
function snippetFile(content: string): string {
  return content
    .trim()
    .replace(/\s{0,20}\[[^\]]{1,300}\]$/, '')
    .replace(/\s{0,20}\{[^{}]{0,300}\}$/, '')
    .replace(/#[\w.-]+$/, '')
    .trim();
}
