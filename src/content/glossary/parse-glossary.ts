import { type Glossary, type GlossaryProblem, MAX_GLOSSARY_BYTES } from './glossary.ts';
import { GlossaryReading } from './glossary-reading.ts';
import { readCsv } from './read-csv.ts';
import { readYamlTerms } from './read-yaml-terms.ts';

export type ParsedGlossary =
  | { readonly glossary: Glossary }
  | { readonly problems: readonly GlossaryProblem[] };

/**
 * Parses a glossary as YAML or CSV, by the extension of its name. With problems there is no glossary; all of them are
 * returned at once (at most 50), in the order of the file.
 */
export function parseGlossary(text: string, path: string): ParsedGlossary {
  const reading = new GlossaryReading();
  const plain = text.replace(/^\u{feff}/u, '');
  if (new TextEncoder().encode(plain).length > MAX_GLOSSARY_BYTES)
    reading.report({ line: 1, column: 1 }, `The file is larger than ${MAX_GLOSSARY_BYTES / 1024} KB.`);
  else if (/\.csv$/i.test(path)) readCsv(plain, reading);
  else readYamlTerms(plain, reading);
  const { problems, terms } = reading;
  if (problems.length > 0)
    return { problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column) };
  return { glossary: { terms } };
}
