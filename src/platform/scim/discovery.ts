import { MAX_PAGE } from './page.ts';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

export const scimSchemas = { user: USER, group: GROUP } as const;

/** What of the protocol is served (RFC 7643, 5). */
export function describeScimService(base: string): object {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_PAGE },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Provisioning token',
        description: 'A token that an administrator of the organization made for provisioning.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

/** The kinds of resources (RFC 7643, 6). */
export function listResourceTypes(base: string): readonly { readonly id: string }[] {
  const describe = (name: string, endpoint: string, schema: string) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint,
    schema,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  });
  return [describe('User', '/Users', USER), describe('Group', '/Groups', GROUP)];
}

/** The attributes that are kept (RFC 7643, 7). */
export function listScimSchemas(base: string): readonly { readonly id: string }[] {
  const describe = (id: string, name: string, attributes: readonly object[]) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description: name,
    attributes,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  });
  return [
    describe(USER, 'User', [
      attribute('userName', 'string', { required: true, uniqueness: 'server' }),
      attribute('externalId', 'string', { caseExact: true }),
      attribute('active', 'boolean'),
      attribute('displayName', 'string'),
      attribute('name', 'complex', {
        subAttributes: ['givenName', 'familyName', 'formatted'].map((name) => attribute(name, 'string')),
      }),
      attribute('emails', 'complex', {
        multiValued: true,
        subAttributes: [
          attribute('value', 'string'),
          attribute('type', 'string'),
          attribute('primary', 'boolean'),
        ],
      }),
    ]),
    describe(GROUP, 'Group', [
      attribute('displayName', 'string', { required: true, uniqueness: 'server' }),
      attribute('externalId', 'string', { caseExact: true }),
      attribute('members', 'complex', {
        multiValued: true,
        subAttributes: [
          attribute('value', 'string', { mutability: 'immutable' }),
          attribute('display', 'string', { mutability: 'readOnly' }),
          attribute('$ref', 'reference', { mutability: 'readOnly', referenceTypes: ['User'] }),
        ],
      }),
    ]),
  ];
}

function attribute(name: string, type: string, more: object = {}): object {
  return {
    name,
    type,
    multiValued: false,
    description: name,
    required: false,
    mutability: 'readWrite',
    returned: 'default',
    ...(type === 'string' ? { caseExact: false, uniqueness: 'none' } : {}),
    ...more,
  };
}
