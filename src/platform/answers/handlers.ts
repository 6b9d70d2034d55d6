import type { AnswerEvent, AskAnswer, RecommendedQuestion } from '../../contract/index.ts';
import { loadSearchScopes, loadSiteStructure, type SpaceScope } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { loadAccessMap } from '../access/load-access-map.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { requireSite } from '../access/require-site.ts';
import { invalid } from '../api/api-error.ts';
import type { HandlersOf } from '../api/handler.ts';
import { locateContent } from '../content/locate-content.ts';
import { type QuestionPlace, recordMissedQuery } from '../conversations/record-question.ts';
import type { PlatformDeps } from '../deps.ts';
import type { SearchedContent } from '../search/search-contents.ts';
import { arrangeStructure } from '../sites/arrange-structure.ts';
import { answerVerbatim } from './answer-question.ts';
import { composeFrom } from './compose-from.ts';
import { citeSentences, presentAnswer } from './present-answer.ts';
import { recommendQuestions } from './recommend-questions.ts';
import { chooseSiteSpaces } from './site-scope.ts';

/** What a question is answered from. */
type AskedContent = SearchedContent & { readonly revisionId: string };

interface Asked {
  readonly organizationId: string;
  readonly place: QuestionPlace;
  readonly contents: readonly AskedContent[];
}

export function answerHandlers(deps: PlatformDeps): HandlersOf<'answers'> {
  const { db, publicUrl } = deps;

  async function* answer(
    { organizationId, place, contents }: Asked,
    question: string,
    format: 'document' | 'markdown' = 'document',
  ): AsyncGenerator<AnswerEvent, void> {
    const revisions = new Map(contents.map(({ spaceId, revisionId }) => [spaceId, revisionId]));
    const view = { publicUrl, revisions, format };
    const verbatim = await answerVerbatim(db, contents, question);
    if (verbatim.madeBy === 'nothing')
      await recordMissedQuery(deps, {
        organizationId,
        place,
        kind: 'ask',
        query: question,
        url: `${publicUrl}${place.kind === 'space' ? `/spaces/${place.id}` : '/search'}`,
      });
    yield { type: 'answer', answer: await presentAnswer(verbatim, view) };
    const composed = await composeFrom(deps, { organizationId, question, passages: verbatim.candidates });
    if (composed === null) return;
    const { passages } = composed;
    const markdown = citeSentences(composed, view);
    yield { type: 'answer', answer: await presentAnswer({ madeBy: 'model', passages, markdown }, view) };
  }

  async function contentOfSpace(caller: Caller, spaceId: string): Promise<Asked> {
    const { space, revision } = await locateContent(db, caller, { spaceId });
    const { historyId, version, id: revisionId } = revision;
    const content = { spaceId, historyId, version, language: space.language, revisionId };
    return {
      organizationId: space.organizationId,
      place: { kind: 'space', id: space.id },
      contents: [content],
    };
  }

  async function contentsOfOrganization(caller: Caller, id: string): Promise<Asked> {
    const { organization } = await requireOrganization(db, caller, id, 'view');
    return {
      organizationId: organization.id,
      place: { kind: 'organization', id: organization.id },
      contents: await visibleContents(caller, organization.id),
    };
  }

  async function visibleContents(caller: Caller, organizationId: string): Promise<readonly SpaceScope[]> {
    const accessMap = await loadAccessMap(db, organizationId, caller.membershipIn(organizationId));
    return await loadSearchScopes(db, organizationId, await accessMap.visibleSpaces());
  }

  return {
    async listRecommendedQuestions({ caller, params }) {
      const questions: string[] = [];
      for await (const question of recommendQuestions(
        db,
        await contentsOfOrganization(caller, params.organizationId),
      ))
        questions.push(question);
      return { questions };
    },
    async streamRecommendedQuestions({ caller, params }) {
      return toEvents(recommendQuestions(db, await contentsOfOrganization(caller, params.organizationId)));
    },
    async streamRecommendedQuestionsOfSite({ caller, params, query: { siteSpaceId, spaceId } }) {
      const { site } = await requireSite(db, caller, params, 'access');
      const structure = arrangeStructure(site, await loadSiteStructure(db, site.id));
      const chosen = chooseSiteSpaces(
        structure,
        siteSpaceId === undefined ? { mode: 'all' } : { mode: 'specific', siteSpaceIds: [siteSpaceId] },
        undefined,
      );
      if (chosen === null)
        throw invalid(
          '/query/siteSpaceId',
          'must name a site space of this site; list them with listSiteSpaces.',
        );
      const spaces = new Set(chosen.map(({ row }) => row.space.id));
      const { organizationId } = params;
      const contents = await visibleContents(caller, organizationId);
      const isAsked = (id: string) => spaces.has(id) && (spaceId === undefined || spaceId === id);
      return toEvents(
        recommendQuestions(db, {
          organizationId,
          contents: contents.filter((content) => isAsked(content.spaceId)),
        }),
      );
    },
    async askSpace({ caller, params, query, body }) {
      return await last(answer(await contentOfSpace(caller, params.spaceId), body.query, query.format));
    },
    async streamAskSpace({ caller, params, query }) {
      return answer(await contentOfSpace(caller, params.spaceId), query.query, query.format);
    },
    async askOrganization({ caller, params, query, body }) {
      const contents = await contentsOfOrganization(caller, params.organizationId);
      return await last(answer(contents, body.query, query.format));
    },
    async streamAskOrganization({ caller, params, query }) {
      return answer(await contentsOfOrganization(caller, params.organizationId), query.query, query.format);
    },
    async streamAskSite({ caller, params, query, body }) {
      const { site } = await requireSite(db, caller, params, 'access');
      const structure = arrangeStructure(site, await loadSiteStructure(db, site.id));
      const chosen = chooseSiteSpaces(structure, body.scope, body.context?.siteSpaceId);
      if (chosen === null)
        throw invalid('/body/scope', 'must name site spaces of this site; list them with listSiteSpaces.');
      const spaces = new Set(chosen.map(({ row }) => row.space.id));
      const contents = await visibleContents(caller, params.organizationId);
      return answer(
        {
          organizationId: params.organizationId,
          place: { kind: 'site', id: site.id },
          contents: contents.filter(({ spaceId }) => spaces.has(spaceId)),
        },
        body.question,
        query.format,
      );
    },
  };
}

async function* toEvents(questions: AsyncIterable<string>): AsyncGenerator<RecommendedQuestion, void> {
  for await (const question of questions) yield { question };
}

/** The complete answer. */
async function last(events: AsyncIterable<AnswerEvent>): Promise<{ answer: AskAnswer }> {
  let answer: AskAnswer | null = null;
  for await (const event of events) answer = event.answer;
  return { answer: answer as AskAnswer };
}
