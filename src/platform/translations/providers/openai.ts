import Type from 'typebox';
import { ModelRefusal } from '../../models/model-refusal.ts';
import type { Model, ModelRequest } from '../../models/open-model.ts';
import {
  ProviderBusy,
  ProviderFailure,
  ProviderRefusal,
  RequestTooLarge,
} from '../../providers/provider-errors.ts';
import type { Provider, TranslationRequest } from './provider.ts';

/** Each text is checked by itself, so one that is wrong leaves the others. */
const Translated = Type.Record(Type.String(), Type.Unknown());
/** A translation has at most about so many tokens for each character of its source, with markup. */
const TOKENS_PER_CHARACTER = 1;

/** The language model of the server, as a translator. */
export function openAiProvider(
  model: Model,
  request: Pick<ModelRequest<typeof Translated>, 'organizationId' | 'leavesShare' | 'timeoutMs'>,
): Provider {
  return {
    identity: `openai ${model.url} ${model.name}`,
    host: new URL(model.url).host,
    followsGuidance: true,
    maxTexts: 40,
    maxLength: 6_000,
    async translate({ texts, ...about }, signal) {
      const length = texts.reduce((sum, text) => sum + text.length, 0);
      const values = await model
        .complete({
          ...request,
          purpose: 'translations',
          instructions: instructionsOf(about),
          data: Object.fromEntries(texts.entries()),
          answer: Translated,
          // How long an answer may be, differs between models, and one that is cut off is of no use.
          maxTokens: null,
          expectedTokens: Math.ceil(length * TOKENS_PER_CHARACTER),
          signal,
        })
        .catch(toNoAnswers);
      return texts.map((_text, index) => {
        const value = values[String(index)];
        return typeof value === 'string' ? value : null;
      });
    },
  };
}

/** No answers where the model answered wrongly; else throws what a provider throws. */
function toNoAnswers(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof ModelRefusal)) throw error;
  const { reason, message, cause } = error;
  if (reason === 'wrong-answer') return {};
  if (cause instanceof ProviderBusy || cause instanceof ProviderRefusal || cause instanceof RequestTooLarge)
    throw cause;
  if (reason === 'budget') throw new ProviderRefusal(message, { cause: error });
  if (reason === 'busy') throw new ProviderBusy(null, message);
  if (reason === 'too-large') throw new RequestTooLarge(message, { cause: error });
  throw new ProviderFailure(message, { cause: error });
}

function instructionsOf({ from, to, instructions, glossary }: Omit<TranslationRequest, 'texts'>): string {
  const terms = glossary.map(({ term, translation }) => `- ${term} → ${translation}`).join('\n');
  return [
    `Translate the values of a JSON object of texts of software documentation${from === null ? '' : ` from ${from}`} into ${to}. Answer with the same keys and the translations as values.`,
    'Keep every tag <g id="…">…</g> and <x id="…"/> exactly once, around or in place of what it belongs to. Add no markup and no line breaks. Keep &lt;, &gt; and &amp; escaped.',
    ...(terms === '' ? [] : [`Terms:\n${terms}`]),
    ...(instructions === '' ? [] : [`What the authors ask for:\n${instructions}`]),
  ].join('\n\n');
}
