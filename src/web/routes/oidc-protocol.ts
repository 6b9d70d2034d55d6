import { type InputOf, type OidcProvider, operations } from '../../client/index.ts';
import type { OidcSignIn, OidcTest } from '../../identity/index.ts';
import { type OidcForm, oidcForm, renderOidcProvider } from '../views/oidc-provider-view.ts';
import { renderOidcTest } from '../views/oidc-test-view.ts';
import { readRole } from '../views/role-words.ts';
import type { ProviderParams, ProviderProtocol } from './provider-pages.ts';
import { readText } from './read-text.ts';

/** In characters, of a client's secret. */
const LONGEST_SECRET = 2048;

/** The pages of OpenID Connect providers. */
export function oidcProtocol(oidc: OidcSignIn): ProviderProtocol<OidcProvider, OidcForm, OidcTest> {
  return {
    kind: 'oidc',
    news: new Map([
      ['added', 'The provider was added. Enter the redirect URL there, and its values here.'],
      ['saved', 'The values were saved.'],
      [
        'incomplete',
        'Enter the issuer and the client ID before you test it. If they are there, enter the client secret again: it cannot be decrypted any more.',
      ],
    ]),
    labels: {
      label: 'The name',
      issuer: 'The issuer',
      clientID: 'The client ID',
      clientSecret: 'The client secret',
      scopes: 'Each scope',
      defaultRole: 'The role',
      defaultTeam: 'The team',
    },
    create: (client, organizationId, label) =>
      client.call(operations.createOidcProvider, { params: { organizationId }, body: { label } }),
    load: (client, params) => client.call(operations.getOidcProvider, { params: toParams(params) }),
    formOf: oidcForm,
    readForm,
    findProblem: ({ clientSecret, removeSecret }) =>
      removeSecret && clientSecret !== ''
        ? {
            field: 'clientSecret',
            sentence: 'Enter a new client secret, or remove the one that is there, not both.',
            status: 400,
          }
        : null,
    save: (client, params, form, before) =>
      client.call(operations.updateOidcProvider, { params: toParams(params), body: toBody(form, before) }),
    remove: (client, params) => client.call(operations.deleteOidcProvider, { params: toParams(params) }),
    readTest: (test) => oidc.readTest(test),
    render: renderOidcProvider,
    renderTest: renderOidcTest,
  };
}

const toParams = ({ organizationId, providerId }: ProviderParams) => ({
  organizationId,
  oidcProviderId: providerId,
});

function readForm(body: unknown): OidcForm {
  return {
    label: readText(body, 'label'),
    issuer: readText(body, 'issuer', 1024),
    clientID: readText(body, 'clientID', 512),
    clientSecret: readText(body, 'clientSecret', LONGEST_SECRET).trim(),
    removeSecret: readText(body, 'removeSecret') === 'on',
    scopes: readText(body, 'scopes', 2048),
    defaultRole: readText(body, 'defaultRole'),
    defaultTeam: readText(body, 'defaultTeam'),
  };
}

/** Only what was changed; nobody sees the secret, so an empty field leaves it as it is. */
function toBody(form: OidcForm, before: OidcProvider): InputOf<typeof operations.updateOidcProvider>['body'] {
  const old = oidcForm(before);
  const isChanged = (name: 'label' | 'issuer' | 'clientID' | 'scopes' | 'defaultRole' | 'defaultTeam') =>
    form[name].trim() !== old[name].trim();
  const role = readRole(form.defaultRole);
  return {
    ...(isChanged('label') && { label: form.label }),
    ...(isChanged('issuer') && { issuer: form.issuer.trim() }),
    ...(isChanged('clientID') && { clientID: form.clientID.trim() }),
    ...(form.clientSecret !== '' && { clientSecret: form.clientSecret }),
    ...(form.removeSecret && { clientSecret: null }),
    ...(isChanged('scopes') && { scopes: form.scopes.split(/[\s,]+/).filter((scope) => scope !== '') }),
    ...(role !== undefined && isChanged('defaultRole') && { defaultRole: role }),
    ...(isChanged('defaultTeam') && { defaultTeam: form.defaultTeam === '' ? null : form.defaultTeam }),
  };
}
