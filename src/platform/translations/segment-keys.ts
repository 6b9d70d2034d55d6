import { createHash } from 'node:crypto';
import type { Document } from '../../contract/index.ts';
import type { StoredGlossaryEntry, TranslationRow } from '../../store/index.ts';

/** The instructions for the translator, as plain text. */
export function instructionsText(row: Pick<TranslationRow, 'instructions'>): string {
  const document = row.instructions as Document | null;
  const textOf = (node: Document['nodes'][number]): string =>
    (node.leaves ?? []).map((leaf) => leaf.text).join('') + (node.nodes ?? []).map(textOf).join('');
  return (document?.nodes ?? []).map(textOf).join('\n').trim().slice(0, 5_000);
}

/** The entries whose term occurs in a text as a word; only those affect its translation. */
export function entriesIn(
  text: string,
  glossary: readonly StoredGlossaryEntry[],
): readonly StoredGlossaryEntry[] {
  const lower = text.toLowerCase();
  return glossary.filter(({ term }) => {
    const word = term.toLowerCase();
    for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + 1)) {
      const around = `${lower[at - 1] ?? ' '}${lower[at + word.length] ?? ' '}`;
      if (!/[\p{L}\p{N}].|.[\p{L}\p{N}]/u.test(around)) return true;
    }
    return false;
  });
}

/** The key of a machine translation of a text: a digest of everything that affects it. */
export function machineKey(
  text: string,
  context: { readonly row: TranslationRow; readonly identity: string; readonly instructions: string },
): string {
  const { row, identity, instructions } = context;
  const entries = entriesIn(text, row.glossary as StoredGlossaryEntry[]).map((entry) => [
    entry.term,
    entry.translation,
  ]);
  return digest(['machine', text, entries, instructions, row.sourceLanguage, row.language, identity]);
}

/** The key of a person's translation, which does not depend on the instructions. */
export function personKey(text: string): string {
  return digest(['person', text]);
}

/** The key of a person's translation that changed markup: it applies only to a text with exactly these bytes. */
export function personRawKey(raw: string): string {
  return digest(['person-raw', raw]);
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
