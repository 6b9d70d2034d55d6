import { type AppAccess, answeredStatus } from '../api/index.ts';

/** How long a person waits in their browser for GitHub's answer, in milliseconds. */
const PERSON_WAITS_MS = 15_000;

/**
 * Lets GitHub sign deliveries with another secret from now on. Throws within a time that a person waits.
 * https://docs.github.com/rest/apps/webhooks#update-a-webhook-configuration-for-an-app
 */
export async function changeWebhookSecret(access: AppAccess, secret: string): Promise<void> {
  const { rest } = await access.app({ signal: AbortSignal.timeout(PERSON_WAITS_MS) });
  const { data } = await rest.apps.getWebhookConfigForApp();
  // The address is left out and stays. The client would take a field of that name for where to send the request.
  await rest.apps.updateWebhookConfigForApp({
    secret,
    content_type: 'json',
    insecure_ssl: String(data.insecure_ssl ?? '0'),
  });
}

/** Whether GitHub accepts the access's signature as that of this App. Throws when GitHub does not answer. */
export async function isKeyOf(access: AppAccess, appId: number): Promise<boolean> {
  try {
    const app = await access.app({ signal: AbortSignal.timeout(PERSON_WAITS_MS) });
    const { data } = await app.rest.apps.getAuthenticated();
    return data?.id === appId;
  } catch (error) {
    const status = answeredStatus(error);
    if (status === 401 || status === 404) return false;
    throw error;
  }
}
