import {
  decodeSegment,
  fillSegment,
  findOutdated,
  neighboursOf,
  plainText,
  type Segment,
} from '../../content/translation/index.ts';
import type { MemoryRow } from '../../store/index.ts';
import type { KnownAnswers } from './load-answers.ts';
import type { SourcePage } from './read-source.ts';
import { personKey, personRawKey } from './segment-keys.ts';
import type { CorrectionAuthor, SegmentState, TranslatedPage, TranslatedSegment } from './segment-types.ts';

/** A page with the known answers to its texts. */
export interface AnsweredPage {
  readonly page: SourcePage;
  readonly answers: KnownAnswers;
  /** Corrections of what texts were before, by the position of the text. */
  readonly outdated: ReadonlyMap<number, MemoryRow>;
  readonly isPseudo: boolean;
}

/** @param corrections all that people wrote in the page, for its texts of now and of before */
export function answerTexts(
  page: SourcePage,
  answers: KnownAnswers,
  corrections: readonly MemoryRow[],
  isPseudo: boolean,
): AnsweredPage {
  const { segments } = page;
  const current = new Set(
    segments.flatMap((segment) => [personKey(segment.text), segmentKey(page, segment)]),
  );
  const former = corrections.filter(({ key }) => !current.has(key));
  const open = segments.flatMap((segment, at) =>
    answers.personOf(segment, page) === null
      ? [{ at, text: segment.text, neighbours: neighboursOf(segments, at) }]
      : [],
  );
  const found = findOutdated(
    open,
    former.map(({ source, correction }) => ({
      text: source,
      neighbours: correction?.neighbours ?? [null, null],
    })),
  );
  const outdated = new Map<number, MemoryRow>();
  for (const [index, before] of found) {
    const [text, row] = [open[index], former[before]];
    if (text !== undefined && row !== undefined) outdated.set(text.at, row);
  }
  return { page, answers, outdated, isPseudo };
}

/** Names a text in its page, as long as its source stays. */
export function segmentKey(page: SourcePage, { start, end }: Segment): string {
  return personRawKey(page.text.slice(start, end));
}

export function countStates(answered: AnsweredPage): TranslatedPage {
  const counts = { machine: 0, corrected: 0, outdated: 0, missing: 0 };
  for (const at of answered.page.segments.keys()) counts[stateAt(answered, at)] += 1;
  return { path: answered.page.path, counts };
}

export function stateAt({ page, answers, outdated, isPseudo }: AnsweredPage, at: number): SegmentState {
  const segment = page.segments[at] as Segment;
  if (answers.personOf(segment, page) !== null) return 'corrected';
  if (outdated.has(at)) return 'outdated';
  return isPseudo || answers.machineOf(segment)?.origin === 'machine' ? 'machine' : 'missing';
}

/** The row of the translation memory that a text is translated by; null when there is none. */
export function rowAt({ page, answers }: AnsweredPage, at: number): MemoryRow | null {
  const segment = page.segments[at] as Segment;
  return answers.personOf(segment, page) ?? answers.machineOf(segment);
}

/** Changes with the translation of a text. */
export function versionAt(answered: AnsweredPage, at: number): string {
  const row = rowAt(answered, at);
  return row === null ? '' : `${row.origin}-${row.updatedAt.getTime()}`;
}

/** @param names of people, by their ids */
export function presentSegment(
  answered: AnsweredPage,
  at: number,
  names: ReadonlyMap<string, string>,
): TranslatedSegment {
  const { page, answers, outdated } = answered;
  const segment = page.segments[at] as Segment;
  const row = rowAt(answered, at);
  const before = outdated.get(at);
  const answer = answers.answerOf(segment, page);
  return {
    key: segmentKey(page, segment),
    line: page.text.slice(0, segment.start).split('\n').length,
    source: sourceOf(page, segment),
    translation:
      answer.kind === 'raw' ? answer.raw : answer.kind === 'text' ? write(page, segment, answer.text) : null,
    state: stateAt(answered, at),
    reason: row?.origin === 'refused' ? row.reason : null,
    correctedBy: row?.origin === 'person' ? authorOf(row, names) : null,
    before:
      before === undefined
        ? null
        : {
            source: plainText(decodeSegment(before.source).parts),
            translation: writeFormer(page, segment, before.text ?? ''),
            by: authorOf(before, names),
          },
    version: versionAt(answered, at),
  };
}

function sourceOf(page: SourcePage, segment: Segment): string {
  return segment.kind === 'value' ? plainText(segment.parts) : page.text.slice(segment.start, segment.end);
}

/** An answer as the result has it; the source where the answer cannot be used. */
function write(page: SourcePage, segment: Segment, answer: string): string {
  const filled = fillSegment(segment, answer);
  return 'refused' in filled || filled.text === '' ? sourceOf(page, segment) : filled.text;
}

/** A translation of what the text was before: as Markdown where it has the placeholders of the text as it is now. */
function writeFormer(page: SourcePage, segment: Segment, answer: string): string {
  if (answer === segment.text) return sourceOf(page, segment);
  const filled = fillSegment(segment, answer);
  return 'refused' in filled ? plainText(decodeSegment(answer).parts) : filled.text;
}

function authorOf(row: MemoryRow, names: ReadonlyMap<string, string>): CorrectionAuthor {
  const id = row.correction?.text === row.text ? (row.correction?.userId ?? null) : null;
  return { name: id === null ? null : (names.get(id) ?? null), at: row.updatedAt.toISOString() };
}

/** The people whose corrections are shown. */
export function listAuthors(answered: AnsweredPage, positions: readonly number[]): readonly string[] {
  return positions.flatMap((at) =>
    [rowAt(answered, at), answered.outdated.get(at)].flatMap((row) => row?.correction?.userId ?? []),
  );
}
