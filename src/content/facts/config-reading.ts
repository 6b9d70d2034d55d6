import {
  type FileFacts,
  MAX_CONFIG_TEXT_BYTES,
  MAX_REFERENCES,
  type Reference,
  type Span,
} from '../model/index.ts';
import type { Reading } from '../parse/index.ts';
import { decodeText } from '../text/index.ts';

/** A destination that a builder's configuration names. */
export interface ConfigLink {
  /** What names it, for the format's rules: `nav`, `sidebar`, `redirect`. */
  readonly carrier: string;
  readonly target: string;
  /** The label that readers see, where the configuration gives one. */
  readonly text?: string;
  /** Where the destination stands in the text, without quotes, as offsets in UTF-16 code units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
}

/**
 * How a builder's configuration is read as a file with links, of the kind `config`. What is wrong with it as a whole is
 * for the format to say when it opens the space, so the facts tell no problems. Files of more than
 * `MAX_CONFIG_TEXT_BYTES` have none.
 */
export function createConfigReading(key: string, find: (text: string) => readonly ConfigLink[]): Reading {
  const read = (bytes: Uint8Array) => {
    if (bytes.length > MAX_CONFIG_TEXT_BYTES) return factsOf([]);
    const { text } = decodeText(bytes);
    try {
      return factsOf(referencesIn(text, find(text)));
    } catch {
      return factsOf([]);
    }
  };
  return { key, read, load: async () => read };
}

function referencesIn(text: string, links: readonly ConfigLink[]): readonly Reference[] {
  const sorted = [...links].sort((a, b) => a.start - b.start).slice(0, MAX_REFERENCES);
  const placeOf = placesIn(text);
  return sorted.map(({ carrier, target, text: said = '', start, end }) => ({
    kind: 'config',
    target,
    text: said,
    ...placeOf(start, end),
    carrier,
  }));
}

/** Answers places for offsets that never go back. */
function placesIn(text: string): (start: number, end: number) => Span {
  let line = 1;
  let lineStart = 0;
  const seek = (offset: number) => {
    for (
      let end = text.indexOf('\n', lineStart);
      end !== -1 && end < offset;
      end = text.indexOf('\n', lineStart)
    ) {
      line += 1;
      lineStart = end + 1;
    }
    return { line, column: offset - lineStart + 1 };
  };
  return (start, end) => {
    const from = seek(start);
    // A destination stands on one line; a folded one ends where its first line does.
    const lineEnd = text.indexOf('\n', start);
    const to = lineEnd === -1 ? end : Math.min(end, lineEnd);
    return { ...from, endLine: from.line, endColumn: from.column + Math.max(0, to - start) };
  };
}

function factsOf(references: readonly Reference[]): FileFacts {
  return {
    references,
    anchors: [],
    title: null,
    frontMatter: {},
    problems: [],
    complete: true,
    symlinkTarget: null,
    contents: null,
  };
}
