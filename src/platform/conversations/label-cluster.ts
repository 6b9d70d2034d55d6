import Type from 'typebox';
import { clip, readProse, redactText } from '../../conversations/index.ts';
import { readCheckedTexts, saysWhatTextsSay } from '../models/check-sentences.ts';
import type { GuidedModel } from '../models/find-model.ts';
import { withGuidance } from '../models/read-guidance.ts';

/** Of a cluster's issues, the most typical ones: the others say the same. */
const SENT_ISSUES = 30;
const MAX_LABEL = 80;
const MAX_SUMMARY = 500;

const Labelled = Type.Object(
  {
    label: Type.String({
      minLength: 1,
      maxLength: MAX_LABEL,
      description: 'Two to six words of plain text.',
    }),
    summary: Type.String({
      minLength: 1,
      maxLength: MAX_SUMMARY,
      description: 'One or two sentences of plain text.',
    }),
  },
  { additionalProperties: false },
);

const INSTRUCTIONS = [
  'These issues of users of a product are about the same. Name what they have in common, and summarize what users want to know or have trouble with.',
  'Use the words of most of the issues and their language, and nothing else that you know. Write no links, no addresses, no names of people and no markup.',
].join('\n');

/** What a model says of a cluster. */
export interface ClusterLabel {
  readonly label: string;
  readonly summary: string;
}

type Member = { readonly title: string; readonly summary: string };

/**
 * What a model calls the issues of a cluster; null when they do not say so.
 *
 * @param members the most typical ones first
 * @throws {ModelRefusal} as the model does
 */
export async function labelCluster(
  { model, organizationId, guidance }: GuidedModel,
  members: readonly Member[],
  { signal }: { readonly signal: AbortSignal },
): Promise<ClusterLabel | null> {
  const said = await model.complete({
    organizationId,
    purpose: 'conversations',
    leavesShare: true,
    instructions: withGuidance(INSTRUCTIONS, guidance),
    data: { issues: members.slice(0, SENT_ISSUES).map(({ title, summary }) => ({ title, summary })) },
    answer: Labelled,
    maxTokens: 400,
    signal,
  });
  if (!fitsMembers(said, members)) return null;
  const label = redactText(clip(readProse(said.label), MAX_LABEL));
  const summary = redactText(clip(readProse(said.summary), MAX_SUMMARY));
  return label === '' || summary === '' ? null : { label, summary };
}

/** Whether issues of a cluster say what its label says, and not one of them alone. */
export function fitsMembers({ label, summary }: ClusterLabel, members: readonly Member[]): boolean {
  const texts = readCheckedTexts(members.map((member) => `${member.title}\n${member.summary}`));
  return [label, summary].every((text) => saysWhatTextsSay(text, texts, { minTexts: 2 }));
}
