import { answeredStatus } from './answered-status.ts';
import type { AppAccess } from './create-probot.ts';
import { PERSON_WAITS_MS, runUntil } from './delivery-run.ts';

/** Whether GitHub takes the App's signature made with this key for that App's. Throws when GitHub cannot be asked. */
export async function isKeyOf(access: AppAccess, appId: number): Promise<boolean> {
  try {
    return await runUntil(AbortSignal.timeout(PERSON_WAITS_MS), async () => {
      const { data } = await (await access.app()).rest.apps.getAuthenticated();
      return data?.id === appId;
    });
  } catch (error) {
    const status = answeredStatus(error);
    if (status === 401 || status === 404) return false;
    throw error;
  }
}
