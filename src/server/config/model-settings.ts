import type { ModelSettings, TranslationSettings } from '../../platform/index.ts';
import type { SettingsReader } from './settings-reader.ts';

type ModelEndpoint = Pick<ModelSettings, 'url' | 'key' | 'model'>;

/** The endpoint of chat completions that everything with a model uses; null where none is set. */
export function readModelEndpoint(reader: SettingsReader): ModelEndpoint | null {
  const [url, model] = [reader.httpUrl('OPENAI_URL'), reader.text('OPENAI_MODEL')];
  if (url !== null && model === null)
    reader.problem('OPENAI_MODEL', 'is missing: OPENAI_URL needs the name of a model');
  return url && model ? { url, model, key: reader.text('OPENAI_API_KEY') } : null;
}

export function readModel(reader: SettingsReader, endpoint: ModelEndpoint | null): ModelSettings | null {
  const limits = {
    tokensPerDay: reader.count('OPENAI_TOKENS_PER_DAY', 1_000_000),
    timeoutMs: 1000 * reader.integer('OPENAI_TIMEOUT_SECONDS', { fallback: 30, min: 1, max: 240 }),
  };
  return endpoint === null ? null : { ...endpoint, ...limits };
}

export function readTranslators(reader: SettingsReader): TranslationSettings {
  const deeplKey = reader.text('DEEPL_API_KEY');
  const libretranslate = reader.httpUrl('LIBRETRANSLATE_URL');
  return {
    deepl: deeplKey ? { url: reader.httpUrl('DEEPL_URL') ?? 'https://api.deepl.com', key: deeplKey } : null,
    libretranslate: libretranslate
      ? { url: libretranslate, key: reader.text('LIBRETRANSLATE_API_KEY') }
      : null,
    maxWords: reader.count('TRANSLATION_MAX_WORDS', 500_000),
    requestsPerMinute: reader.integer('TRANSLATION_REQUESTS_PER_MINUTE', {
      fallback: 60,
      min: 1,
      max: 100_000,
    }),
    timeoutMs: 1000 * reader.integer('TRANSLATION_TIMEOUT_SECONDS', { fallback: 120, min: 5, max: 240 }),
  };
}
