import { randomBytes } from 'node:crypto';
import { generateServiceProviderMetadata, SAML as Library } from '@node-saml/node-saml';

/** What an organization set up about a SAML identity provider, as far as sign-ins need it. */
export interface SamlProviderSettings {
  readonly id: string;
  readonly entityId: string;
  readonly ssoUrl: string;
  /** In PEM; each of them may sign. */
  readonly certificates: readonly string[];
}

/** The addresses of this server that an identity provider has to know. */
export interface SamlService {
  readonly acsURL: string;
  readonly startURL: string;
  readonly entityID: string;
}

export function serviceOf(publicUrl: string, providerId: string): SamlService {
  const base = `${publicUrl}/saml/${encodeURIComponent(providerId)}`;
  return { acsURL: `${base}/acs`, startURL: `${base}/start`, entityID: `${base}/metadata` };
}

/**
 * A new request (SAML 2.0 bindings, 3.4), with the address to send the browser to. Requests are not signed: they say nothing
 * that an attacker could not say, and no identity provider needs more than the address that it has on file.
 */
export async function createSamlRequest(
  provider: SamlProviderSettings,
  publicUrl: string,
  relayState: string,
): Promise<{ readonly requestId: string; readonly url: string }> {
  const requestId = `_${randomBytes(20).toString('hex')}`;
  const service = serviceOf(publicUrl, provider.id);
  const library = new Library({
    callbackUrl: service.acsURL,
    issuer: service.entityID,
    idpCert: [...provider.certificates],
    entryPoint: provider.ssoUrl,
    // The provider chooses both: those that were asked for what they do not have refuse to sign anybody in.
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    generateUniqueId: () => requestId,
  });
  return { requestId, url: await library.getAuthorizeUrlAsync(relayState, undefined, {}) };
}

/** The description of this service for an identity provider (SAML 2.0 metadata). */
export function describeService(publicUrl: string, providerId: string): string {
  const { acsURL, entityID } = serviceOf(publicUrl, providerId);
  return generateServiceProviderMetadata({
    issuer: entityID,
    callbackUrl: acsURL,
    identifierFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    wantAssertionsSigned: true,
    // The same text each time.
    generateUniqueId: () => `_${providerId}`,
  });
}
