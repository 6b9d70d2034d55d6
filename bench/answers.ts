/**
 * Measures answers without a model: questions about three real documentations, with the sections that answer them, and
 * questions that they do not answer. The floor is plain full-text order, the search of a space, in the same run. The ranking
 * was chosen by the even questions, so the odd ones say how good it is. The threshold is one that any part of the questions
 * would have chosen: it is chosen anew by each half, and by two of the three documentations, and tried on the rest. The
 * weight of nearness was chosen with all questions in view. Last, what is shown of models that stand in for a real one: one
 * that quotes what it cites, and others that are wrong in one way each.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sql } from 'drizzle-orm';
import { parse } from 'yaml';
import { operations } from '../src/client/index.ts';
import { answerVerbatim, ENOUGH, strengthOf } from '../src/platform/answers/answer-question.ts';
import { composeAnswer } from '../src/platform/answers/compose-answer.ts';
import { findSections } from '../src/platform/answers/find-sections.ts';
import { loadSearchScopes, openStore, type SpaceScope, type Store } from '../src/store/index.ts';

import { STAND_INS, standInFor } from './composed-answers.ts';
import { type PlatformServer, runProgram, startPlatformServer } from './platform-server.ts';

const CORPORA = resolve(process.env['BENCH_CORPORA'] ?? '../shared/corpora');
const BEST = 5;
const RANKED = 50;

interface Question {
  readonly ask: string;
  /** Files with anchors. */
  readonly in: readonly string[];
  readonly claim?: string;
}

/** How much speaks for the best sections of a question, for choosing a threshold. */
interface Confidence {
  readonly corpus: string;
  readonly half: number;
  readonly isAnswerable: boolean;
  readonly strength: number;
}

interface Outcome extends Pick<Confidence, 'strength'> {
  /** Of the first right section, from 0; -1 for none. */
  readonly rank: number;
  readonly plainRank: number;
  readonly isAnswered: boolean;
  /** Whether the passages that are shown have the claim; null where nothing is claimed. */
  readonly hasClaim: boolean | null;
}

export async function run(): Promise<void> {
  const text = readFileSync(new URL('../fixtures/answers/questions.yaml', import.meta.url), 'utf8');
  const corpora: Record<string, { answered: Question[]; unanswered: string[] }> = parse(text);
  const missing = Object.keys(corpora).filter((name) => !existsSync(join(CORPORA, `${name}.bundle`)));
  if (missing.length > 0) return console.log(`skipped: there is no ${missing.join(', ')} in ${CORPORA}`);
  const server = await startPlatformServer();
  const store = await openStore({ dataDir: join(server.folder, 'data'), poolSize: 4 });
  try {
    const halves: { answered: Outcome[]; refused: boolean[] }[] = [0, 1].map(() => ({
      answered: [],
      refused: [],
    }));
    const confidences: Confidence[] = [];
    const composed: Composed[] = [];
    for (const [name, { answered, unanswered }] of Object.entries(corpora)) {
      const scope = await importCorpus(server, store, name);
      const keys = await sectionKeys(store, scope);
      for (const [at, question] of answered.entries()) {
        const outcome = await askOne(server, store, { scope, keys, question });
        const { strength } = outcome;
        halves[at % 2]?.answered.push(outcome);
        confidences.push({ corpus: name, half: at % 2, isAnswerable: true, strength });
        composed.push(await composeEach(store, scope, question));
      }
      for (const [at, question] of unanswered.entries()) {
        const { madeBy } = await answerVerbatim(store.db, [scope], question);
        halves[at % 2]?.refused.push(madeBy === 'nothing');
        composed.push(await composeEach(store, scope, { ask: question, in: [] }));
        const { sections } = await findSections(store.db, [scope], question, { limit: BEST });
        const strength = strengthOf(sections);
        confidences.push({ corpus: name, half: at % 2, isAnswerable: false, strength });
      }
    }
    console.log(
      'questions | answered by | recall@5 | MRR | right refusals | wrong refusals | shown passages with the claim',
    );
    for (const [at, half] of halves.entries()) report(at === 0 ? 'tuned by' : 'held out', half);
    crossValidate(confidences, Object.keys(corpora));
    reportComposed(composed);
  } finally {
    await store.close();
    await server.close();
  }
}

function report(
  name: string,
  { answered, refused }: { answered: readonly Outcome[]; refused: readonly boolean[] },
): void {
  const share = (values: readonly boolean[]) =>
    (values.filter(Boolean).length / Math.max(1, values.length)).toFixed(3);
  const mrr = (ranks: readonly number[]) =>
    (ranks.reduce((sum, rank) => sum + (rank < 0 ? 0 : 1 / (rank + 1)), 0) / ranks.length).toFixed(3);
  const inBest = (rank: number) => rank >= 0 && rank < BEST;
  const [ranks, plain] = [answered.map(({ rank }) => rank), answered.map(({ plainRank }) => plainRank)];
  const claims = answered.flatMap(({ hasClaim }) => (hasClaim === null ? [] : [hasClaim]));
  const wrong = answered.map(({ isAnswered }) => !isAnswered);
  console.log(
    `${name}, ${answered.length} + ${refused.length} | plain full-text order | ${share(plain.map(inBest))} | ${mrr(plain)} | – | – | –`,
  );
  console.log(
    `${name}, ${answered.length} + ${refused.length} | sections | ${share(ranks.map(inBest))} | ${mrr(ranks)} | ${share(refused)} | ${share(wrong)} | ${share(claims)}`,
  );
}

function crossValidate(confidences: readonly Confidence[], corpora: readonly string[]): void {
  console.log(`\nthreshold chosen by | is | right refusals of the rest | wrong refusals (in use: ${ENOUGH})`);
  const parts: readonly [string, (one: Confidence) => boolean][] = [
    ['the even questions', ({ half }) => half === 0],
    ['the odd questions', ({ half }) => half === 1],
    ...corpora.map((name): [string, (one: Confidence) => boolean] => [
      `all but ${name}`,
      ({ corpus }) => corpus !== name,
    ]),
  ];
  for (const [name, isChosenBy] of parts) {
    const threshold = chooseThreshold(confidences.filter(isChosenBy));
    const rest = refusalsAt(
      threshold,
      confidences.filter((one) => !isChosenBy(one)),
    );
    console.log(`${name} | ${threshold.toFixed(3)} | ${rest.right.toFixed(3)} | ${rest.wrong.toFixed(3)}`);
  }
}

/** Shares of the questions that are refused, of those that are not answered there and of those that are. */
function refusalsAt(threshold: number, confidences: readonly Confidence[]): { right: number; wrong: number } {
  const shareOf = (isAnswerable: boolean) => {
    const those = confidences.filter((one) => one.isAnswerable === isAnswerable);
    return those.filter(({ strength }) => strength < threshold).length / Math.max(1, those.length);
  };
  return { right: shareOf(false), wrong: shareOf(true) };
}

/** The middle of the thresholds by which the most right refusals and the fewest wrong ones come. */
function chooseThreshold(confidences: readonly Confidence[]): number {
  const values = [...new Set(confidences.map(({ strength }) => strength))].sort((a, b) => a - b);
  const tried = values.slice(1).map((value, at) => {
    const threshold = (value + (values[at] ?? value)) / 2;
    const { right, wrong } = refusalsAt(threshold, confidences);
    return { threshold, gain: right - wrong };
  });
  const most = Math.max(...tried.map(({ gain }) => gain));
  const best = tried.filter(({ gain }) => gain > most - 1e-9).map(({ threshold }) => threshold);
  return ((best[0] ?? 0) + (best.at(-1) ?? 0)) / 2;
}

/** What is shown of the answers of stand-ins to one question. */
interface Composed {
  readonly claim: string | undefined;
  /** Whether any section in the corpus answers it. */
  readonly isAnswerable: boolean;
  /** Whether the model was asked: there are sections that say enough. */
  readonly isAsked: boolean;
  /** The texts that the answer cites, by the stand-in; null where its answer is not shown. */
  readonly cited: ReadonlyMap<string, string | null>;
}

async function composeEach(store: Store, scope: SpaceScope, question: Question): Promise<Composed> {
  const { madeBy, candidates } = await answerVerbatim(store.db, [scope], question.ask);
  const cited = new Map<string, string | null>();
  for (const [name, say] of Object.entries(STAND_INS)) {
    if (madeBy === 'nothing') continue;
    const sentences = await composeAnswer(
      { model: standInFor(say), organizationId: '', guidance: '' },
      { question: question.ask, passages: candidates },
    );
    const texts = [...new Set((sentences ?? []).flatMap(({ cites }) => cites))].map((at) => {
      const { heading = '', text = '' } = candidates[at] ?? {};
      return `${heading} ${text}`;
    });
    cited.set(name, sentences === null ? null : texts.join('\n').toLowerCase());
  }
  return {
    claim: question.claim,
    isAnswerable: question.in.length > 0,
    isAsked: madeBy !== 'nothing',
    cited,
  };
}

function reportComposed(composed: readonly Composed[]): void {
  const unanswered = composed.filter(({ isAnswerable }) => !isAnswerable);
  const asked = composed.filter(({ isAsked }) => isAsked);
  console.log(
    `\na stand-in that | answers shown, of ${asked.length} | citations with the claim | refused, of ${unanswered.length} without an answer`,
  );
  const share = (part: number, whole: number) => (whole === 0 ? '–' : (part / whole).toFixed(3));
  for (const name of Object.keys(STAND_INS)) {
    const shown = asked.filter(({ cited }) => typeof cited.get(name) === 'string');
    const claims = shown.flatMap(({ claim, cited }) =>
      claim === undefined ? [] : [cited.get(name)?.includes(claim.toLowerCase()) === true],
    );
    const wrong = shown.filter(({ isAnswerable }) => !isAnswerable).length;
    console.log(
      `${name} | ${share(shown.length, asked.length)} | ${share(claims.filter(Boolean).length, claims.length)} | ${share(unanswered.length - wrong, unanswered.length)}`,
    );
  }
}

async function importCorpus(server: PlatformServer, store: Store, name: string): Promise<SpaceScope> {
  const bundle = join(CORPORA, `${name}.bundle`);
  await runProgram(server.repositories, [
    'git',
    'clone',
    '-q',
    '--bare',
    '-b',
    'main',
    bundle,
    `${name}.git`,
  ]);
  const spaceId = await server.createSpace(name);
  await server.importBranch(spaceId, `${server.gitUrl}/${name}.git`, '');
  const { organization } = await server.client.call(operations.getSpace, { params: { spaceId } });
  const [scope] = await loadSearchScopes(store.db, organization, { groups: [], ids: [spaceId] });
  if (scope === undefined) throw new Error(`${name} has no content.`);
  return scope;
}

/** What names the sections in the fixture, by page and anchor. */
async function sectionKeys(
  store: Store,
  { historyId, version }: SpaceScope,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await store.db.execute<{ page: string; anchor: string | null; file: string }>(sql`
    select p.id as page, s.anchor, p.git_path as file from pages p join sections s on s.set_id = p.sections_id
    where p.history_id = ${historyId} and p.since <= ${version} and p.until > ${version}`);
  return new Map(
    rows.map(({ page, anchor, file }) => [
      `${page}#${anchor ?? ''}`,
      anchor === null ? file : `${file}#${anchor}`,
    ]),
  );
}

async function askOne(
  { client }: PlatformServer,
  store: Store,
  { scope, keys, question }: { scope: SpaceScope; keys: ReadonlyMap<string, string>; question: Question },
): Promise<Outcome> {
  const known = new Set(keys.values());
  const gone = question.in.filter((key) => !known.has(key));
  if (gone.length > 0)
    throw new Error(`There is no section ${gone.join(', ')}: “${question.ask}” needs another one.`);
  const isRight = (page: string, anchor: string | null) =>
    question.in.includes(keys.get(`${page}#${anchor ?? ''}`) ?? '');
  const found = await findSections(store.db, [scope], question.ask, { limit: RANKED });
  const answer = await answerVerbatim(store.db, [scope], question.ask);
  const plain = await client.call(operations.searchSpace, {
    params: { spaceId: scope.spaceId },
    query: { query: question.ask, limit: RANKED },
  });
  const order = plain.items.flatMap(({ id, sections }) =>
    sections.map((section) => ({ page: id, anchor: section.id === id ? null : section.id })),
  );
  const { claim } = question;
  const shown = answer.passages.map(({ heading, text }) => `${heading ?? ''} ${text}`.toLowerCase());
  return {
    strength: strengthOf(found.sections),
    rank: found.sections.findIndex(({ pageId, anchor }) => isRight(pageId, anchor)),
    plainRank: order.findIndex(({ page, anchor }) => isRight(page, anchor)),
    isAnswered: answer.madeBy === 'sections',
    hasClaim: claim === undefined ? null : shown.some((passage) => passage.includes(claim.toLowerCase())),
  };
}
