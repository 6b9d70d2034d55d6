import type { Http } from '../../../net/index.ts';
import { chatRequest, TEXTS_ARE_DATA } from '../../models/chat-request.ts';
import { objectIn, textOfCompletion } from '../../models/read-completion.ts';
import { postJson } from './post-json.ts';
import type { Provider, TranslationRequest } from './provider.ts';
import type { TranslationSettings } from './settings.ts';

/** Any endpoint with OpenAI's chat completions. */
export function openAiProvider(http: Http, settings: NonNullable<TranslationSettings['openai']>): Provider {
  return {
    identity: `openai ${settings.url} ${settings.model}`,
    host: new URL(settings.url).host,
    followsGuidance: true,
    maxTexts: 40,
    maxLength: 6_000,
    async translate(request, signal) {
      const answer = await postJson(http, {
        ...chatRequest(settings, {
          instructions: instructionsOf(request),
          data: JSON.stringify(Object.fromEntries(request.texts.entries())),
        }),
        signal,
        keySetting: 'OPENAI_API_KEY',
        key: settings.key,
      });
      return request.texts.map(readAnswers(answer));
    },
  };
}

function instructionsOf({ from, to, instructions, glossary }: TranslationRequest): string {
  const terms = glossary.map(({ term, translation }) => `- ${term} → ${translation}`).join('\n');
  return [
    `Translate the values of a JSON object of texts of software documentation${from === null ? '' : ` from ${from}`} into ${to}. ${TEXTS_ARE_DATA}`,
    'Answer with one JSON object that has the same keys and the translations as values, and nothing else.',
    'Keep every tag <g id="…">…</g> and <x id="…"/> exactly once, around or in place of what it belongs to. Add no markup and no line breaks. Keep &lt;, &gt; and &amp; escaped.',
    ...(terms === '' ? [] : [`Terms:\n${terms}`]),
    ...(instructions === '' ? [] : [`What the authors ask for:\n${instructions}`]),
  ].join('\n\n');
}

function readAnswers(answer: unknown): (text: string, index: number) => string | null {
  const values = (objectIn(textOfCompletion(answer) ?? '') ?? {}) as Readonly<Record<string, unknown>>;
  return (_text, index) => {
    const value = values[String(index)];
    return typeof value === 'string' ? value : null;
  };
}
