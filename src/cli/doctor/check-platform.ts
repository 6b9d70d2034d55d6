import { createClient, operations, PlatformError } from '../../client/index.ts';
import { createHttp } from '../../net/index.ts';
import type { ServerConfig } from '../../server/config/index.ts';
import { type Diagnosis, diagnosesOf } from './diagnosis.ts';

const PATIENCE = { connectMs: 5_000, headersMs: 10_000, totalMs: 15_000 } as const;

/** Checks a platform other than the embedded one: whether it answers, and accepts the token. */
export async function checkPlatform({
  platform,
  organizationId,
}: ServerConfig): Promise<readonly Diagnosis[]> {
  if (platform === null) return [];
  const check = diagnosesOf('platform');
  const http = createHttp({ userAgent: 'docloom doctor', timeouts: PATIENCE });
  try {
    const client = createClient({ baseUrl: platform.url, token: platform.token, http });
    const { displayName } = await client.call(operations.getUser, {});
    const { items } = await client.call(operations.listOrganizations, { query: { limit: 100 } });
    if (items.length === 0)
      return [
        check.fail(`${platform.url} has no organization that PLATFORM_TOKEN opens.`, 'Create one there.'),
      ];
    const chosen = organizationId === null ? items[0] : items.find(({ id }) => id === organizationId);
    if (chosen === undefined)
      return [
        check.fail(
          'PLATFORM_ORGANIZATION names none that PLATFORM_TOKEN opens.',
          `Those that it opens: ${items.map(({ id, title }) => `${id} (${title})`).join(', ')}.`,
        ),
      ];
    return [check.ok(`${platform.url} knows the token as ${displayName}; new spaces go to ${chosen.title}.`)];
  } catch (error) {
    if (error instanceof PlatformError && error.status === 401)
      return [
        check.fail(
          `${platform.url} does not know PLATFORM_TOKEN.`,
          'Create a new one there with docloom token create, and set it.',
        ),
      ];
    return [
      check.fail(
        `${platform.url} returned no usable answer${error instanceof PlatformError ? ` (${error.status})` : ''}.`,
        'Is PLATFORM_URL its address, without /v1, and is it running?',
      ),
    ];
  } finally {
    await http.close();
  }
}

/** Checks whether this server answers at the address that people and GitHub use. */
export async function checkPublicUrl(config: ServerConfig, publicUrl: string): Promise<readonly Diagnosis[]> {
  const check = diagnosesOf('public url');
  const findings: Diagnosis[] = [];
  if (config.publicUrl === null)
    findings.push(
      check.warn(
        `PUBLIC_URL is not set, so links lead to ${publicUrl}.`,
        'Set it to the address that GitHub and people reach.',
      ),
    );
  else if (new URL(publicUrl).protocol === 'http:' && !/^(localhost|127\.)/.test(new URL(publicUrl).hostname))
    findings.push(
      check.warn(
        'PUBLIC_URL begins with http://, so anyone on the network path can read what people sign in with.',
        'Put a proxy with TLS before the server.',
      ),
    );
  const http = createHttp({ userAgent: 'docloom doctor', timeouts: PATIENCE });
  try {
    const { status } = await http.request(`${publicUrl}/healthz`, { retries: 0 });
    if (status === 200) findings.push(check.ok(`${publicUrl} answers.`));
    else
      findings.push(
        check.fail(
          `${publicUrl}/healthz answers ${status}.`,
          'Does it lead to docloom serve? 503 means that its database is not there.',
        ),
      );
  } catch {
    findings.push(
      check.warn(
        `${publicUrl} does not answer from here.`,
        'Is docloom serve running? If it is, and only reachable from elsewhere, nothing is wrong.',
      ),
    );
  } finally {
    await http.close();
  }
  return findings;
}
