import { hashToken, newTokenText } from '../../../src/identity/index.ts';
import { insertToken, newId } from '../../../src/store/index.ts';
import { proveDomain } from '../../support/prove-domain.ts';
import { createMember } from '../create-member.ts';
import type { TestPlatform } from '../start-platform.ts';

export interface ScimAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

export type ScimCaller = (
  method: string,
  path: string,
  body?: unknown,
  options?: { readonly token?: string | null; readonly organizationId?: string },
) => Promise<ScimAnswer>;

export interface Provisioning {
  readonly scim: ScimCaller;
  readonly token: string;
  readonly tokenId: string;
  /** Who made the token. */
  readonly makerId: string;
}

/** Lets the organization be provisioned with a token of a new administrator; `corp.example` is its own domain. */
export async function startProvisioning(
  platform: Pick<TestPlatform, 'deps' | 'organizationId' | 'url'>,
): Promise<Provisioning> {
  const { organizationId, url } = platform;
  await proveDomain(platform.deps.db, organizationId, 'corp.example');
  const { userId: makerId } = await createMember(platform, 'Token maker', { role: 'admin' });
  const { token, tokenId } = await createScimToken(platform, makerId);
  const scim: ScimCaller = async (method, path, body, options = {}) => {
    const bearer = options.token === undefined ? token : options.token;
    const response = await fetch(`${url}/scim/v2/${options.organizationId ?? organizationId}${path}`, {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status === 500) throw new Error(`${method} ${path} answers 500: ${text}`);
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  return { scim, token, tokenId, makerId };
}

export async function createScimToken(
  { deps, organizationId }: Pick<TestPlatform, 'deps' | 'organizationId'>,
  userId: string,
  fields: Partial<Parameters<typeof insertToken>[1]> = {},
): Promise<{ readonly token: string; readonly tokenId: string }> {
  const token = newTokenText();
  const tokenId = newId();
  await insertToken(deps.db, {
    id: tokenId,
    userId,
    name: 'Okta',
    hash: hashToken(token),
    scope: 'scim',
    organizationId,
    role: null,
    createdBy: 'user',
    expiresAt: new Date(Date.now() + 24 * 60 * 60 * 1000),
    ...fields,
  });
  return { token, tokenId };
}
