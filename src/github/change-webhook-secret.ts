import type { AppAccess } from './create-probot.ts';
import { PERSON_WAITS_MS, runUntil } from './delivery-run.ts';

/**
 * Lets GitHub sign deliveries with another secret from now on. Throws within a time that a person waits.
 * https://docs.github.com/rest/apps/webhooks#update-a-webhook-configuration-for-an-app
 */
export function changeWebhookSecret(access: AppAccess, secret: string): Promise<void> {
  return runUntil(AbortSignal.timeout(PERSON_WAITS_MS), () => change(access, secret));
}

async function change(access: AppAccess, secret: string): Promise<void> {
  const { rest } = await access.app();
  const { data } = await rest.apps.getWebhookConfigForApp();
  // The address is left out and stays. The client would take a field of that name for where to send the request.
  await rest.apps.updateWebhookConfigForApp({
    secret,
    content_type: 'json',
    insecure_ssl: String(data.insecure_ssl ?? '0'),
  });
}
