import type { Http } from '../../../net/index.ts';
import { postJson } from '../../providers/post-json.ts';
import type { Provider } from './provider.ts';
import type { TranslationSettings } from './settings.ts';

const CODES: Readonly<Record<string, string>> = { no: 'nb', zh: 'zh-Hans', 'pt-br': 'pt-BR' };

/** LibreTranslate (https://docs.libretranslate.com). It supports neither instructions nor glossaries. */
export function libreTranslateProvider(
  http: Http,
  settings: NonNullable<TranslationSettings['libretranslate']>,
): Provider {
  const url = `${settings.url}/translate`;
  return {
    identity: `libretranslate ${settings.url}`,
    host: new URL(url).host,
    followsGuidance: false,
    maxTexts: 30,
    maxLength: 5_000,
    async translate({ texts, from, to }, signal) {
      const answer = await postJson(http, {
        url,
        headers: {},
        body: {
          q: texts,
          source: from === null ? 'auto' : (CODES[from] ?? from),
          target: CODES[to] ?? to,
          format: 'html',
          ...(settings.key === null ? {} : { api_key: settings.key }),
        },
        signal,
        keySetting: 'LIBRETRANSLATE_API_KEY',
        key: settings.key,
        tooLargeMessage: /exceeds text limit/i,
      });
      const { translatedText } = (answer ?? {}) as { translatedText?: unknown };
      return texts.map((_text, index) => {
        const text: unknown = Array.isArray(translatedText) ? translatedText[index] : null;
        return typeof text === 'string' ? text : null;
      });
    },
  };
}
