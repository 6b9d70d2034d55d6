/** Outgoing HTTP: pools, retries, limits of size and time, the guard against private addresses. */

export {
  type AddressGuard,
  type AddressGuardOptions,
  AddressRefusedError,
  createAddressGuard,
} from './address-guard.ts';
export { FetchError } from './fetch-error.ts';
export { createHttp, type Http } from './http.ts';
export { describeUrl, type HttpResponse } from './http-response.ts';
export {
  type ProxySettings,
  splitExceptions,
  useProxies,
  withScheme,
} from './proxy.ts';
export { type ResolveTxt, resolveTxt } from './resolve-txt.ts';
export { parseRetryAfter } from './retry-after.ts';
