import { createHash } from 'node:crypto';
import type { Document } from '../../contract/index.ts';
import type { StoredGlossaryEntry, TranslationRow } from '../../store/index.ts';
import { textOfDocument } from '../content/text-of-document.ts';

/** The instructions for the translator, as plain text. */
export function instructionsText(row: Pick<TranslationRow, 'instructions'>): string {
  const document = row.instructions as Document | null;
  // Keys of stored texts are made of it, so nothing stands between blocks of a block.
  return textOfDocument(document?.nodes ?? [])
    .trim()
    .slice(0, 5_000);
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

/**
 * The key of a machine translation of a text: a digest of everything that affects it. What the organization tells its model
 * is apart, so that texts which were translated under other instructions of the organization are found by the rest.
 */
export function machineKey(
  text: string,
  context: {
    readonly row: TranslationRow;
    readonly identity: string;
    readonly instructions: string;
    readonly guidance: string;
  },
): string {
  const { row, identity, instructions } = context;
  const entries = entriesIn(text, row.glossary as StoredGlossaryEntry[]).map((entry) => [
    entry.term,
    entry.translation,
  ]);
  const rest = digest(['machine', text, entries, instructions, row.sourceLanguage, row.language, identity]);
  return context.guidance === '' ? rest : `${rest}.${guidanceDigest(context.guidance)}`;
}

/** A machine translation's key without what the organization tells its model. */
export function unguidedKey(key: string): string {
  return key.split('.')[0] ?? key;
}

/** Whether a machine translation with this key is to be made under what the organization tells its model. */
export function isGuidedBy(key: string, guidance: string): boolean {
  return (key.split('.')[1] ?? '') === (guidance === '' ? '' : guidanceDigest(guidance));
}

const guidanceDigest = (guidance: string) => digest(guidance).slice(0, 11);

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
