import { operations, type PlatformClient } from '../../client/index.ts';
import type { Needs } from '../views/needs-view.ts';

const notificationsShown = 10;
const reviewsShown = 10;

/** Loads what waits for the client's user in these organizations. */
export async function loadNeeds(
  client: PlatformClient,
  userId: string,
  organizationIds: readonly string[],
): Promise<Omit<Needs, 'ignores'>> {
  const [unread, ...requested] = await Promise.all([
    client.call(operations.listNotifications, { query: { unread: true, limit: notificationsShown } }),
    ...organizationIds.map((organizationId) =>
      client.call(operations.listOrganizationChangeRequests, {
        params: { organizationId },
        query: { status: 'open', requestedReviewer: userId, limit: reviewsShown },
      }),
    ),
  ]);
  // A request of a review is in its list, which stays as long as it waits.
  const notifications = unread.items.filter(({ kind }) => kind !== 'review-request');
  return {
    notifications,
    hasMore: unread.next !== undefined,
    reviews: requested.flatMap(({ items }) => items).slice(0, reviewsShown),
  };
}
