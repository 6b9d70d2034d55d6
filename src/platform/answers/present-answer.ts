import { escapeMarkdown } from '../../content/text/index.ts';
import type { AnswerSource, AskAnswer } from '../../contract/index.ts';
import { contentThreads } from '../../threads/index.ts';
import type { Passage } from './answer-question.ts';
import type { ComposedAnswer } from './compose-from.ts';

/** What is said where the pages do not answer. */
export const NOT_IN_THE_DOCS = 'This is not in these docs.';

export interface AnswerView {
  readonly publicUrl: string;
  /** The revisions of the spaces that were searched, by the ids of the spaces. */
  readonly revisions: ReadonlyMap<string, string>;
  readonly format: 'document' | 'markdown';
}

/** The public fields of an answer. `markdown` is its text where something composed it; else the passages are. */
export async function presentAnswer(
  {
    madeBy,
    passages,
    markdown,
  }: {
    readonly madeBy: AskAnswer['madeBy'];
    readonly passages: readonly Passage[];
    readonly markdown?: string;
  },
  view: AnswerView,
): Promise<AskAnswer> {
  const text = markdown ?? (madeBy === 'nothing' ? NOT_IN_THE_DOCS : quote(passages, view));
  return {
    answer:
      view.format === 'markdown'
        ? { markdown: text }
        : {
            document: JSON.parse(
              await contentThreads.write({ markdown: text, dialect: '', references: new Map() }),
            ),
          },
    followupQuestions: [],
    sources: presentSources(passages, madeBy, view),
    madeBy,
  };
}

/** The address of a passage on the pages for people. */
export function passageAddress(
  { spaceId, pageId, anchor }: Passage,
  { publicUrl }: Pick<AnswerView, 'publicUrl'>,
): string {
  return `${publicUrl}/spaces/${spaceId}/pages/${pageId}${fragmentOf(anchor)}`;
}

function presentSources(
  passages: readonly Passage[],
  madeBy: AskAnswer['madeBy'],
  view: AnswerView,
): AnswerSource[] {
  return [...Map.groupBy(passages, ({ pageId }) => pageId).values()].map((parts) => {
    const [{ spaceId, pageId, title }] = parts as [Passage, ...Passage[]];
    return {
      type: 'page' as const,
      reason: madeBy === 'model' ? 'The answer cites it.' : 'It says most of what the question says.',
      page: pageId,
      revision: view.revisions.get(spaceId) ?? '',
      space: spaceId,
      sections: parts.map(({ anchor }) => anchor ?? pageId),
      title,
      passages: parts.map((passage) => ({
        id: passage.anchor ?? pageId,
        title: passage.heading ?? title,
        path: `${passage.path}${fragmentOf(passage.anchor)}`,
        text: passage.text,
        urls: { app: passageAddress(passage, view) },
      })),
    };
  });
}

/** The passages as quotations, each below the address of its section. */
function quote(passages: readonly Passage[], view: AnswerView): string {
  return passages
    .map((passage) => {
      const names = passage.heading === null ? [passage.title] : [passage.title, passage.heading];
      return `[${names.map(escapeMarkdown).join(' › ')}](${passageAddress(passage, view)})\n\n> ${escapeMarkdown(passage.text)}`;
    })
    .join('\n\n');
}

/** The sentences of a model, each with the addresses of the sections that it cites. Nothing in them is markup or a link. */
export function citeSentences({ sentences, passages }: ComposedAnswer, view: AnswerView): string {
  return sentences
    .map(({ text, cites }) => {
      const links = cites.map((at) => `[\\[${at + 1}\\]](${passageAddress(passages[at] as Passage, view)})`);
      return `${escapeMarkdown(text)} ${links.join(' ')}`;
    })
    .join(' ');
}

function fragmentOf(anchor: string | null): string {
  return anchor === null ? '' : `#${encodeURIComponent(anchor)}`;
}
