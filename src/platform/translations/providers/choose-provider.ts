import { createAddressGuard, createHttp, type Http } from '../../../net/index.ts';
import type { TranslationRow } from '../../../store/index.ts';
import type { PlatformDeps } from '../../deps.ts';
import { ProviderRefusal } from '../../providers/provider-errors.ts';
import { deeplProvider } from './deepl.ts';
import { libreTranslateProvider } from './libretranslate.ts';
import { openAiProvider } from './openai.ts';
import type { Provider } from './provider.ts';
import type { TranslationSettings } from './settings.ts';

/** The settings that a provider needs. */
const NEEDED: Readonly<Record<string, string>> = {
  openai: 'OPENAI_URL and OPENAI_MODEL',
  deepl: 'DEEPL_API_KEY',
  libretranslate: 'LIBRETRANSLATE_URL',
};

/** For one request with its answer, where the settings do not say. */
const USUAL_TIMEOUT_MS = 120_000;

/** Creates the client for the providers that are no language model: it calls only the configured hosts, and does not follow redirects. */
export function createProviderHttp(settings: TranslationSettings | undefined): Http {
  const { timeoutMs = USUAL_TIMEOUT_MS } = settings ?? {};
  const urls = [settings?.deepl?.url, settings?.libretranslate?.url];
  const allowHosts = urls.flatMap((url) => (url === undefined ? [] : [new URL(url).host]));
  return createHttp({
    guard: createAddressGuard({ allowHosts }),
    userAgent: 'docloom',
    timeouts: { headersMs: timeoutMs, bodyMs: timeoutMs, totalMs: timeoutMs },
    connections: 8,
  });
}

/** @throws {ProviderRefusal} if the provider of the translation is not set up on this server. */
export function chooseProvider(
  { provider: name, organizationId, runForPerson }: TranslationRow,
  { translators: settings, model = null }: Pick<PlatformDeps, 'translators' | 'model'>,
  http: Http,
): Provider {
  if (name === 'openai' && model !== null)
    return openAiProvider(model, {
      organizationId,
      leavesShare: !runForPerson,
      timeoutMs: settings?.timeoutMs ?? USUAL_TIMEOUT_MS,
    });
  if (name === 'deepl' && settings?.deepl) return deeplProvider(http, settings.deepl);
  if (name === 'libretranslate' && settings?.libretranslate)
    return libreTranslateProvider(http, settings.libretranslate);
  throw new ProviderRefusal(
    `The provider ${name} is not set up on this server: set ${NEEDED[name] ?? 'it up'}, or choose another provider.`,
  );
}
