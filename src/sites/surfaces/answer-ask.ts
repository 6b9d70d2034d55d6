import { MAX_QUESTION, writeEvents } from '../../platform/index.ts';
import { askSite, type SiteAnswer } from '../search/ask-site.ts';
import { recordMissedSearch } from '../search/record-missed-search.ts';
import { TooManySearches } from '../search/search-turns.ts';
import { sendFinished } from '../send-finished.ts';
import { isFromSite, type SiteRequest } from '../site-request.ts';
import type { ShownAnswer } from '../views/site-page.ts';
import type { Words } from '../views/words/index.ts';
import { locateSearch, refusePerson, refuseProgram, type SearchPlace } from './answer-search.ts';
import { finishResults } from './results-page.ts';

/** Where the form below search results is sent. It is posted, since what only follows links shall not use a model. */
export const ASK_PATH = '~/ask';

/** Answers a question: as a page, or as events for the script, each with all of the answer so far. */
export async function answerAsk(site: SiteRequest): Promise<boolean> {
  const { request, reply, addresses, platform } = site;
  const toSearch = () => {
    reply.header('cache-control', 'private, no-store').redirect(addresses.below('~', 'search'), 303);
    return true;
  };
  if (request.method !== 'POST') return toSearch();
  if (!isFromSite(site)) {
    reply.code(403).header('cache-control', 'private, no-store').type('text/plain; charset=utf-8');
    reply.send('Pages of other sites may not ask here.\n');
    return true;
  }
  const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
  const question = (form.get('q') ?? '').replaceAll('\0', '').slice(0, MAX_QUESTION).toWellFormed().trim();
  if (question === '') return toSearch();
  const place = await locateSearch(site, {
    from: form.get('from') ?? undefined,
    scope: form.get('scope') ?? undefined,
  });
  if (place === null) return false;
  const isForProgram = request.headers.accept?.includes('text/event-stream') === true;
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const answers = ask(site, place, question, gone.signal);
  try {
    if (!isForProgram) return await sendPage(site, place, question, answers);
    const shown = describeEach(answers, place.words);
    const stream = await writeEvents(shown, JSON.stringify, (err) =>
      platform.log.error({ err }, 'An answer on a site ended with an error.'),
    );
    reply.headers({ 'cache-control': 'private, no-store', 'x-accel-buffering': 'no' });
    reply.type('text/event-stream; charset=utf-8').send(stream);
    return true;
  } catch (error) {
    if (!(error instanceof TooManySearches)) throw error;
    reply.header('retry-after', String(error.retryAfter));
    return await (isForProgram ? refuseProgram(site, error) : refusePerson(site, place, question));
  }
}

async function* ask(
  site: SiteRequest,
  { spaces }: SearchPlace,
  question: string,
  signal: AbortSignal,
): AsyncGenerator<SiteAnswer, void> {
  for await (const answer of askSite(site, spaces, question, site.addresses.below, signal)) {
    if (answer.madeBy === 'nothing') await recordMissedSearch(site, question);
    yield answer;
  }
}

async function sendPage(
  site: SiteRequest,
  place: SearchPlace,
  question: string,
  answers: AsyncIterable<SiteAnswer>,
): Promise<boolean> {
  let last: SiteAnswer | null = null;
  for await (const answer of answers) last = answer;
  const { results = [], sentences = [] } = last ?? {};
  const said = last === null ? '' : describeAnswer(last, place.words);
  const { scopes } = place;
  const shown = { query: question, results, said, scopes, canAsk: false, sentences };
  return sendFinished(site, await finishResults(site, place, shown), 'private, no-store');
}

async function* describeEach(
  answers: AsyncIterable<SiteAnswer>,
  words: Words,
): AsyncGenerator<ShownAnswer, void> {
  for await (const answer of answers) {
    const { results, sentences } = answer;
    yield { results, sentences, said: describeAnswer(answer, words) };
  }
}

/** One sentence that says what made the answer. */
function describeAnswer({ madeBy, isComposing, isLimited }: SiteAnswer, words: Words): string {
  if (isComposing) return words.composing;
  if (isLimited) return words.askedOften;
  return { sections: words.sectionsSay, model: words.composed, nothing: words.notInTheseDocs }[madeBy];
}
