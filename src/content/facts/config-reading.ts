import {
  type FileFacts,
  MAX_CONFIG_TEXT_BYTES,
  MAX_REFERENCES,
  type Reference,
  type Span,
} from '../model/index.ts';
import type { Reading } from '../parse/index.ts';
import { decodeText } from '../text/index.ts';

/** A destination in a builder's configuration. */
export interface ConfigLink {
  /** The kind of its setting, for the format's rules: `nav`, `sidebar`, `redirect`. */
  readonly carrier: string;
  readonly target: string;
  /** The label that readers see; absent when the configuration has none. */
  readonly text?: string;
  /** The destination in the text, without quotes, as offsets in UTF-16 code units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
}

/**
 * Creates the reading of a builder's configuration as a file with links of the kind `config`. The format reports problems
 * of the configuration when it opens the space, so the facts have none. Files of more than `MAX_CONFIG_TEXT_BYTES` have
 * no links.
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
  const spanOf = spansIn(text);
  return sorted.map(({ carrier, target, text: label = '', start, end }) => ({
    kind: 'config',
    target,
    text: label,
    ...spanOf(start, end),
    carrier,
  }));
}

/** Returns a function from offsets to spans, whose offsets must not decrease from call to call. */
function spansIn(text: string): (start: number, end: number) => Span {
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
    // A destination is on one line; the span of a folded one ends with its first line.
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
