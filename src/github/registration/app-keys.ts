import { type AppAccess, responseStatus } from '../api/index.ts';

/** How long a person in the browser waits for GitHub's response, in milliseconds. */
const BROWSER_TIMEOUT_MS = 15_000;

/**
 * Sets the secret with which GitHub signs deliveries from now on. Throws after 15 seconds without a response.
 * https://docs.github.com/rest/apps/webhooks#update-a-webhook-configuration-for-an-app
 */
export async function changeWebhookSecret(access: AppAccess, secret: string): Promise<void> {
  const { rest } = await access.app({ signal: AbortSignal.timeout(BROWSER_TIMEOUT_MS) });
  const { data } = await rest.apps.getWebhookConfigForApp();
  // The URL is left out and stays. The client would use a field of that name as the address of the request.
  await rest.apps.updateWebhookConfigForApp({
    secret,
    content_type: 'json',
    insecure_ssl: String(data.insecure_ssl ?? '0'),
  });
}

/** Whether GitHub accepts the access's signature as that of this App. Throws when GitHub does not answer. */
export async function isKeyOf(access: AppAccess, appId: number): Promise<boolean> {
  try {
    const app = await access.app({ signal: AbortSignal.timeout(BROWSER_TIMEOUT_MS) });
    const { data } = await app.rest.apps.getAuthenticated();
    return data?.id === appId;
  } catch (error) {
    const status = responseStatus(error);
    if (status === 401 || status === 404) return false;
    throw error;
  }
}
