import { pseudoLocale, type Segment } from '../../content/translation/index.ts';
import { loadMemory, type MemoryRow, type TranslationRow } from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { readGuidance } from '../models/read-guidance.ts';
import type { Answer } from './compose-pages.ts';
import type { Provider } from './providers/provider.ts';
import type { SourcePage } from './read-source.ts';
import { instructionsText, machineKey, personKey, personRawKey, unguidedKey } from './segment-keys.ts';

/** What is known about the texts of some pages. */
export interface KnownAnswers {
  readonly answerOf: (segment: Segment, page: SourcePage) => Answer;
  /** What a person wrote for a text. */
  readonly personOf: (segment: Segment, page: SourcePage) => MemoryRow | null;
  /** What the provider returned for a text, also an answer that was refused. */
  readonly machineOf: (segment: Segment) => MemoryRow | null;
  /** Texts without a translation, each once. */
  readonly missing: readonly Segment[];
  readonly keyOf: (text: string) => string;
  /** Under which its texts are, or could be, in the translation memory. */
  readonly keys: readonly string[];
  /** Whether some answers of this run were refused, and none was accepted. */
  readonly isAllRefused: boolean;
  readonly reason: string;
}

/** @param provider null for the pseudo-locale */
export async function loadAnswers(
  deps: Pick<PlatformDeps, 'db'>,
  row: TranslationRow,
  pages: readonly SourcePage[],
  provider: Pick<Provider, 'identity' | 'followsGuidance'> | null,
): Promise<KnownAnswers> {
  const guidance = provider?.followsGuidance === true ? await readGuidance(deps.db, row.organizationId) : '';
  const context = {
    row,
    identity: provider?.identity ?? 'pseudo',
    instructions: instructionsText(row),
    guidance,
  };
  const machineKeys = new Map<string, string>();
  const currentKeyOf = (text: string) => {
    const known = machineKeys.get(text) ?? machineKey(text, context);
    machineKeys.set(text, known);
    return known;
  };
  const rawOf = (segment: Segment, page: SourcePage) => page.text.slice(segment.start, segment.end);
  const keys = new Set<string>();
  for (const page of pages) {
    for (const segment of page.segments) {
      keys.add(personKey(segment.text));
      keys.add(personRawKey(rawOf(segment, page)));
      if (provider !== null) keys.add(currentKeyOf(segment.text));
    }
  }
  const isGuided = provider?.followsGuidance === true;
  const unguided = isGuided ? [...machineKeys.values()].map(unguidedKey) : [];
  const rows = await loadMemory(deps.db, row.id, [...keys], unguided);
  const earlier = newestByUnguidedKey(isGuided ? rows.values() : []);
  /** Of the translation that there is, also under other instructions of the organization; else of the one to be made. */
  const keyOf = (text: string) => {
    const key = currentKeyOf(text);
    return rows.has(key) ? key : (earlier.get(unguidedKey(key))?.key ?? key);
  };
  for (const text of machineKeys.keys()) keys.add(keyOf(text));
  const missing = new Map<string, Segment>();
  const refused: MemoryRow[] = [];
  let accepted = 0;
  for (const segment of pages.flatMap((page) => page.segments)) {
    const known = rows.get(keyOf(segment.text));
    if (known?.origin === 'machine') accepted += 1;
    if (known?.origin === 'refused' && known.run === row.run) refused.push(known);
    const isOld = known?.origin === 'refused' && known.run !== row.run;
    if (rows.has(personKey(segment.text)) || (known !== undefined && !isOld)) continue;
    missing.set(segment.text, segment);
  }
  const personOf = (segment: Segment, page: SourcePage) =>
    rows.get(personRawKey(rawOf(segment, page))) ?? rows.get(personKey(segment.text)) ?? null;
  const machineOf = (segment: Segment) => rows.get(keyOf(segment.text)) ?? null;
  const answerOf = (segment: Segment, page: SourcePage): Answer => {
    const raw = rows.get(personRawKey(rawOf(segment, page)))?.text;
    const person = rows.get(personKey(segment.text))?.text;
    if (raw != null)
      return segment.kind === 'value' ? { kind: 'text', text: segment.text } : { kind: 'raw', raw };
    if (person != null) return { kind: 'text', text: person };
    if (provider === null) return { kind: 'text', text: pseudoLocale(segment.text) };
    const machine = machineOf(segment);
    if (machine?.origin === 'machine' && machine.text !== null) return { kind: 'text', text: machine.text };
    return { kind: 'none', reason: machine?.reason ?? 'there was no answer' };
  };
  return {
    answerOf,
    personOf,
    machineOf,
    missing: [...missing.values()],
    keyOf,
    keys: [...keys],
    isAllRefused: refused.length > 0 && accepted === 0,
    reason: refused[0]?.reason ?? 'there was no answer',
  };
}

/** Translations that were made under whatever the organization told its model then. */
function newestByUnguidedKey(rows: Iterable<MemoryRow>): ReadonlyMap<string, MemoryRow> {
  const newest = new Map<string, MemoryRow>();
  for (const row of rows) {
    if (row.origin !== 'machine') continue;
    const known = newest.get(unguidedKey(row.key));
    if (known === undefined || known.updatedAt < row.updatedAt) newest.set(unguidedKey(row.key), row);
  }
  return newest;
}
