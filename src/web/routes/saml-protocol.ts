import { type InputOf, operations, type SamlProvider } from '../../client/index.ts';
import type { SamlSignIn, SamlTest } from '../../identity/index.ts';
import { readRole } from '../views/role-words.ts';
import { renderSamlProvider, type SamlForm, samlForm } from '../views/saml-provider-view.ts';
import { renderSamlTest } from '../views/saml-test-view.ts';
import type { ProviderParams, ProviderProtocol } from './provider-pages.ts';
import { readText } from './read-text.ts';

/** In characters; a certificate has about 1,500. */
const LONGEST_CERTIFICATE = 10_000;

/** The pages of SAML providers. */
export function samlProtocol(saml: SamlSignIn): ProviderProtocol<SamlProvider, SamlForm, SamlTest> {
  return {
    kind: 'saml',
    news: new Map([
      ['added', 'The provider was added. Enter the addresses there, and its values here.'],
      ['saved', 'The values were saved.'],
      ['incomplete', 'Enter the provider’s entity ID, URL and certificate before you test it.'],
    ]),
    labels: {
      label: 'The name',
      entityID: 'The entity ID',
      ssoURL: 'The single sign-on URL',
      certificate: 'The certificate',
      nextCertificate: 'The next certificate',
      defaultRole: 'The role',
      defaultTeam: 'The team',
    },
    create: (client, organizationId, label) =>
      client.call(operations.createSamlProvider, { params: { organizationId }, body: { label } }),
    load: (client, params) => client.call(operations.getSamlProvider, { params: toParams(params) }),
    formOf: samlForm,
    readForm,
    save: (client, params, form, before) =>
      client.call(operations.updateSamlProvider, { params: toParams(params), body: toBody(form, before) }),
    remove: (client, params) => client.call(operations.deleteSamlProvider, { params: toParams(params) }),
    readTest: (test) => saml.readTest(test),
    render: renderSamlProvider,
    renderTest: renderSamlTest,
  };
}

const toParams = ({ organizationId, providerId }: ProviderParams) => ({
  organizationId,
  samlProviderId: providerId,
});

function readForm(body: unknown): SamlForm {
  return {
    label: readText(body, 'label'),
    entityID: readText(body, 'entityID', 1024),
    ssoURL: readText(body, 'ssoURL', 2048),
    certificate: readText(body, 'certificate', LONGEST_CERTIFICATE),
    nextCertificate: readText(body, 'nextCertificate', LONGEST_CERTIFICATE),
    defaultRole: readText(body, 'defaultRole'),
    defaultTeam: readText(body, 'defaultTeam'),
  };
}

/** Only what was changed: an empty URL is none, and would be refused. */
function toBody(form: SamlForm, before: SamlProvider): InputOf<typeof operations.updateSamlProvider>['body'] {
  const old = samlForm(before);
  const isChanged = (name: keyof SamlForm) => form[name].trim() !== old[name].trim();
  const role = readRole(form.defaultRole);
  return {
    ...(isChanged('label') && { label: form.label }),
    ...(isChanged('entityID') && { entityID: form.entityID.trim() }),
    ...(isChanged('ssoURL') && { ssoURL: form.ssoURL.trim() }),
    ...(isChanged('certificate') && { certificate: form.certificate }),
    ...(isChanged('nextCertificate') && {
      nextCertificate: form.nextCertificate.trim() === '' ? null : form.nextCertificate,
    }),
    ...(role !== undefined && isChanged('defaultRole') && { defaultRole: role }),
    ...(isChanged('defaultTeam') && { defaultTeam: form.defaultTeam === '' ? null : form.defaultTeam }),
  };
}
