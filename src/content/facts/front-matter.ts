import { LineCounter, parseDocument } from 'yaml';
import { MAX_FRONT_MATTER_LENGTH } from '../limits.ts';
import type { Problem } from '../model.ts';

export interface FrontMatter {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problem: Problem | null;
}

/**
 * Reads YAML front matter as plain JSON values. Hostile YAML (aliases that multiply, endless nesting) ends as a
 * problem. `firstLine` is the line of the file where the YAML starts.
 */
export function readFrontMatter(yaml: string, firstLine: number): FrontMatter {
  if (yaml.length > MAX_FRONT_MATTER_LENGTH) {
    const limit = MAX_FRONT_MATTER_LENGTH / 1024;
    return failed(`The front matter is larger than ${limit} KB and was not read.`, firstLine);
  }
  try {
    const lineCounter = new LineCounter();
    const document = parseDocument(yaml, { lineCounter, prettyErrors: false, logLevel: 'silent' });
    const error = document.errors[0];
    if (error !== undefined) {
      const line = firstLine + lineCounter.linePos(error.pos[0]).line - 1;
      return failed(`The front matter is not valid YAML: ${firstSentence(error.message)}`, line);
    }
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    if (value === null || value === undefined) return { values: {}, problem: null };
    if (typeof value !== 'object' || Array.isArray(value)) {
      return failed('The front matter is not a mapping of keys to values.', firstLine);
    }
    return { values: toPlain(value), problem: null };
  } catch (error) {
    const reason = error instanceof Error ? firstSentence(error.message) : 'it cannot be read.';
    return failed(`The front matter is not valid YAML: ${reason}`, firstLine);
  }
}

function failed(message: string, line: number): FrontMatter {
  return { values: {}, problem: { message, line } };
}

function firstSentence(message: string): string {
  const line = message.split('\n', 1)[0] ?? '';
  return line.endsWith('.') ? line : `${line}.`;
}

/** Strings become storable everywhere: no NUL, which PostgreSQL refuses, and no lone surrogates. */
function toPlain(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value), (_key, one: unknown) =>
    typeof one === 'string' ? one.toWellFormed().replaceAll('\0', '\u{fffd}') : one,
  );
}
