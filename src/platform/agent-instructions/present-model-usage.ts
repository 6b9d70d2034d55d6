import type { ModelUsage } from '../../contract/index.ts';
import type { ModelPurpose, UsedTokens } from '../../store/index.ts';
import type { Model } from '../models/open-model.ts';

/** What was used on the day of `now`. */
export function presentModelUsage(
  model: Model | null,
  {
    byPurpose,
    byServer,
    now,
  }: {
    readonly byPurpose: Readonly<Record<ModelPurpose, UsedTokens>>;
    readonly byServer: UsedTokens;
    readonly now: Date;
  },
): ModelUsage {
  const { answers, conversations, translations } = byPurpose;
  const all = [answers, conversations, translations];
  return {
    object: 'model-usage',
    ...(model === null ? {} : { model: model.name }),
    answers,
    conversations,
    translations,
    total: {
      tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
      calls: all.reduce((sum, { calls }) => sum + calls, 0),
    },
    server: { tokens: byServer.tokens, limit: model?.tokensPerDay ?? 0 },
    resetsAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString(),
  };
}
