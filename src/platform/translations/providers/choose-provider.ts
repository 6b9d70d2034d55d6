import { createAddressGuard, createHttp, type Http } from '../../../net/index.ts';
import { deeplProvider } from './deepl.ts';
import { libreTranslateProvider } from './libretranslate.ts';
import { openAiProvider } from './openai.ts';
import { type Provider, ProviderRefusal } from './provider.ts';
import type { TranslationSettings } from './settings.ts';

/** The settings that a provider needs. */
const NEEDED: Readonly<Record<string, string>> = {
  openai: 'OPENAI_URL and OPENAI_MODEL',
  deepl: 'DEEPL_API_KEY',
  libretranslate: 'LIBRETRANSLATE_URL',
};

/** Creates the client for all providers: it calls only the configured hosts, and does not follow redirects. */
export function createProviderHttp(settings: TranslationSettings | undefined): Http {
  const { timeoutMs = 120_000 } = settings ?? {};
  const urls = [settings?.openai?.url, settings?.deepl?.url, settings?.libretranslate?.url];
  const allowHosts = urls.flatMap((url) => (url === undefined ? [] : [new URL(url).host]));
  return createHttp({
    guard: createAddressGuard({ allowHosts }),
    userAgent: 'docloom',
    timeouts: { headersMs: timeoutMs, bodyMs: timeoutMs, totalMs: timeoutMs },
    connections: 8,
  });
}

/** @throws {ProviderRefusal} if the provider is not set up on this server. */
export function chooseProvider(
  name: string,
  settings: TranslationSettings | undefined,
  http: Http,
): Provider {
  if (name === 'openai' && settings?.openai) return openAiProvider(http, settings.openai);
  if (name === 'deepl' && settings?.deepl) return deeplProvider(http, settings.deepl);
  if (name === 'libretranslate' && settings?.libretranslate)
    return libreTranslateProvider(http, settings.libretranslate);
  throw new ProviderRefusal(
    `The provider ${name} is not set up on this server: set ${NEEDED[name] ?? 'it up'}, or choose another provider.`,
  );
}
