import type { CredentialView } from '../content/render/index.ts';
import type { Api, SecurityRequirement } from './api-model.ts';
import { isObject, type JsonObject } from './pointer.ts';
import { MAX_CELL_LENGTH, shortenText } from './shorten-text.ts';

const MAX_ALTERNATIVES = 10;

/** Of one scheme. */
const MAX_SCOPES = 50;

/** The alternatives of authorization, each with all that it takes; none where nothing is required of anybody. */
export function describeAccess(
  requirements: readonly SecurityRequirement[],
  api: Api,
): readonly (readonly CredentialView[])[] {
  if (requirements.every((requirement) => requirement.size === 0)) return [];
  return requirements
    .slice(0, MAX_ALTERNATIVES)
    .map((requirement) =>
      [...requirement].slice(0, MAX_ALTERNATIVES).map(([name, scopes]) => describeScheme(name, scopes, api)),
    );
}

function describeScheme(name: string, scopes: readonly string[], { securitySchemes }: Api): CredentialView {
  const { value } = securitySchemes.get(name) ?? {};
  const scheme = isObject(value) ? value : {};
  return {
    name: shortenText(name, 100),
    type: textIn(scheme, 'type'),
    scheme: textIn(scheme, 'scheme').toLowerCase(),
    in: textIn(scheme, 'in'),
    field: textIn(scheme, 'name'),
    description: shortenText(textIn(scheme, 'description', MAX_CELL_LENGTH + 1), MAX_CELL_LENGTH),
    scopes: scopes.slice(0, MAX_SCOPES).map((scope) => shortenText(scope, 200)),
    addresses: addressesOf(scheme),
  };
}

const FLOW_ADDRESSES = [
  ['authorizationUrl', 'Authorization'],
  ['deviceAuthorizationUrl', 'Device authorization'],
  ['tokenUrl', 'Tokens'],
] as const;

/** Those of all flows, each once; in Swagger 2.0 a scheme is its only flow. */
function addressesOf(scheme: JsonObject): CredentialView['addresses'] {
  const flows = isObject(scheme['flows']) ? Object.values(scheme['flows']).filter(isObject) : [];
  const found = new Map<string, string>();
  for (const flow of [scheme, ...flows.slice(0, 6)]) {
    for (const [key, label] of FLOW_ADDRESSES) {
      const url = textIn(flow, key, 2_000);
      if (url !== '') found.set(url, label);
    }
  }
  const discovery = textIn(scheme, 'openIdConnectUrl', 2_000);
  if (discovery !== '') found.set(discovery, 'OpenID configuration');
  return [...found].map(([url, label]) => ({ label, url }));
}

function textIn(scheme: JsonObject, key: string, length = 200): string {
  const value = scheme[key];
  return typeof value === 'string' ? value.slice(0, length).toWellFormed() : '';
}
