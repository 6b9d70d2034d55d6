import { isMap, isScalar, LineCounter, type Node } from 'yaml';
import { parseYamlDocument } from '../yaml/index.ts';
import type { GlossaryReading, PositionedText } from './glossary-reading.ts';

/** Reads a mapping of terms: `space: {de: Bereich, pt-BR: espaço}`, or `Docloom: Docloom` for all languages. */
export function readYamlTerms(text: string, reading: GlossaryReading): void {
  const lines = new LineCounter();
  const positionOf = (node: unknown): Omit<PositionedText, 'text'> => {
    const { line, col } = lines.linePos((node as Node | null)?.range?.[0] ?? 0);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const root = parse(text, lines, reading);
  if (root === undefined) return;
  if (!isMap(root)) {
    reading.report(
      positionOf(root),
      'The file must be a mapping of terms to translations, such as `space: {de: Bereich}`.',
    );
    return;
  }
  const textOf = (node: unknown): PositionedText | null => {
    const position = positionOf(node);
    if (isScalar(node) && (typeof node.value === 'string' || typeof node.value === 'number'))
      return { text: typeof node.value === 'string' ? node.value : (node.source ?? ''), ...position };
    reading.report(
      position,
      'This must be text. Put values that YAML does not read as text (`yes`, `null`, `*`) in quotes.',
    );
    return null;
  };
  for (const { key, value } of root.items) {
    const term = textOf(key);
    if (term === null) continue;
    if (!isMap(value)) {
      const translation = textOf(value);
      if (translation !== null) reading.add(term, [['*', translation]]);
      continue;
    }
    reading.add(
      term,
      value.items.flatMap((pair) => {
        const [tag, translation] = [textOf(pair.key), textOf(pair.value)];
        const language = tag && reading.language(tag);
        return language === null || translation === null ? [] : [[language, translation] as const];
      }),
    );
  }
}

/** Undefined when the YAML is not valid. */
function parse(text: string, lineCounter: LineCounter, reading: GlossaryReading): unknown {
  try {
    const { errors, contents } = parseYamlDocument(text, { lineCounter });
    for (const { message, pos } of errors.slice(0, 10)) {
      const { line, col } = lineCounter.linePos(pos[0]);
      reading.report(
        { line: Math.max(1, line), column: Math.max(1, col) },
        `This is not valid YAML: ${message}`,
      );
    }
    return errors.length > 0 ? undefined : contents;
  } catch {
    reading.report({ line: 1, column: 1 }, 'The YAML is nested too deeply.');
    return undefined;
  }
}
