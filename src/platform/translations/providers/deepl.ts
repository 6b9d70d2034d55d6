import type { Http } from '../../../net/index.ts';
import { postJson } from '../../providers/post-json.ts';
import type { Provider } from './provider.ts';
import type { TranslationSettings } from './settings.ts';

/** DeepL's language codes that are not the platform's in capitals (https://developers.deepl.com/docs/getting-started/supported-languages). */
const TARGETS: Readonly<Record<string, string>> = {
  en: 'EN-US',
  pt: 'PT-PT',
  'pt-br': 'PT-BR',
  zh: 'ZH-HANS',
  no: 'NB',
};
const SOURCES: Readonly<Record<string, string>> = { 'pt-br': 'PT', no: 'NB' };

/** DeepL, or a server with its `/v2/translate` (https://developers.deepl.com/api-reference/translate). */
export function deeplProvider(http: Http, settings: NonNullable<TranslationSettings['deepl']>): Provider {
  const url = `${settings.url}/v2/translate`;
  return {
    identity: `deepl ${settings.url}`,
    host: new URL(url).host,
    followsGuidance: false,
    maxTexts: 50,
    maxLength: 30_000,
    async translate({ texts, from, to, instructions, glossary }, signal) {
      const context = [instructions, ...glossary.map((entry) => `${entry.term}: ${entry.translation}`)]
        .filter(Boolean)
        .join('\n');
      const answer = await postJson(http, {
        url,
        headers: { authorization: `DeepL-Auth-Key ${settings.key}` },
        body: {
          text: texts,
          ...(from === null ? {} : { source_lang: SOURCES[from] ?? from.toUpperCase() }),
          target_lang: TARGETS[to] ?? to.toUpperCase(),
          tag_handling: 'xml',
          ...(context === '' ? {} : { context }),
        },
        signal,
        keySetting: 'DEEPL_API_KEY',
        key: settings.key,
      });
      const { translations } = (answer ?? {}) as { translations?: { text?: unknown }[] };
      return texts.map((_text, index) => {
        const text = translations?.[index]?.text;
        return typeof text === 'string' ? text : null;
      });
    },
  };
}
