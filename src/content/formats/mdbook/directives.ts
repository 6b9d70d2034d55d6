/** `{{#name arguments}}` of a chapter, as a preprocessor of mdBook reads it. Lines and columns start at 1. */
export interface Directive {
  readonly name: string;
  /** The file that it includes; null for directives that include none. */
  readonly file: string | null;
  /** The included part of the file: lines (`2:10`) or a name; empty for the whole file. */
  readonly part: string;
  readonly line: number;
  readonly column: number;
  /** Offsets in the source. */
  readonly start: number;
  readonly end: number;
}

const INCLUDES = new Set(['include', 'rustdoc_include', 'playground', 'playpen']);

/** The directives of a source, in their order; those after a backslash are text. */
export function* directivesIn(source: string): Iterable<Directive> {
  let line = 1;
  let offset = 0;
  for (const text of source.split('\n')) {
    for (const match of matchesIn(text)) {
      const [all, backslash, name = '', written = ''] = match;
      if (backslash !== '') continue;
      // Without a file the braces are text, which pages about mdBook show.
      if (INCLUDES.has(name) && written.trim() === '') continue;
      const start = offset + match.index;
      yield {
        name,
        ...argumentsOf(name, written),
        line,
        column: match.index + 1,
        start,
        end: start + all.length,
      };
    }
    line += 1;
    offset += text.length + 1;
  }
}

function argumentsOf(name: string, written: string): Pick<Directive, 'file' | 'part'> {
  if (!INCLUDES.has(name)) return { file: null, part: '' };
  const [argument = ''] = written.trim().split(/\s+/);
  const [file = ''] = isPlayground(name) ? [argument] : argument.split(':');
  return { file, part: argument.slice(file.length + 1) };
}

/** Whether a directive shows a whole program as a block of code. */
export function isPlayground(name: string): boolean {
  return name.startsWith('play');
}

/** Matches the directives of one line: a backslash before it, the name, and the arguments up to the closing braces. */
function* matchesIn(text: string): Iterable<RegExpExecArray> {
  const last = text.lastIndexOf('}}');
  for (let at = text.indexOf('{{'); at !== -1 && at < last; at = text.indexOf('{{', at + 2)) {
    DIRECTIVE.lastIndex = at > 0 && text[at - 1] === '\\' ? at - 1 : at;
    const match = DIRECTIVE.exec(text);
    if (match !== null) yield match;
  }
}

const DIRECTIVE = /(\\?)\{\{[ \t]{0,20}#([\w-]{1,60})(?:\s{1,20}([^{}\r\n]{0,1000}))?\}\}/y;
