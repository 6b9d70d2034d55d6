import {
  listNotifications,
  listNotifiedSpaces,
  loadNotification,
  loadWantsMail,
  markNotifications,
  updateWantsMail,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { loadAccessMap } from '../access/load-access-map.ts';
import { allows, spaceRights } from '../access/roles.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { notFound } from '../api/api-error.ts';
import { limitOf, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { presentNotification } from './present-notification.ts';

export function notificationHandlers({ db, publicUrl }: PlatformDeps): HandlersOf<'notifications'> {
  /** The spaces whose notifications the caller may read: they may have lost the right since. */
  async function listReadable(caller: Caller): Promise<readonly string[]> {
    const spaces = await listNotifiedSpaces(db, caller.user.id);
    const readable: string[] = [];
    for (const [organizationId, own] of Map.groupBy(spaces, (space) => space.organizationId)) {
      if (!caller.organizationIds.includes(organizationId)) continue;
      const map = await loadAccessMap(db, organizationId, caller.membershipIn(organizationId));
      for (const space of own) {
        if (allows(map.roleInSpace(space), spaceRights.comment)) readable.push(space.id);
      }
    }
    return readable;
  }

  return {
    async listNotifications({ caller, query }) {
      const limit = limitOf(query);
      const list = 'notifications';
      const found = await listNotifications(db, caller.user.id, {
        spaceIds: await listReadable(caller),
        unread: query.unread,
        after: readAgeCursor(list, query),
        limit: limit + 1,
      });
      return toList(found, {
        list,
        limit,
        keyOf: ({ row }) => ageKeyOf(row),
        present: (view) => presentNotification(caller, view, publicUrl),
      });
    },

    async updateNotification({ caller, params, body }) {
      const key = { id: params.notificationId, spaceIds: await listReadable(caller) };
      if ((await loadNotification(db, caller.user.id, key)) === null) {
        throw notFound('notification with this id');
      }
      const readAt = body.read ? new Date() : null;
      await markNotifications(db, caller.user.id, { id: key.id, readAt });
      const view = await loadNotification(db, caller.user.id, key);
      if (view === null) throw notFound('notification with this id');
      return presentNotification(caller, view, publicUrl);
    },

    async readNotifications({ caller }) {
      await markNotifications(db, caller.user.id, { id: null, readAt: new Date() });
    },

    async getNotificationSettings({ caller }) {
      return { object: 'notification-settings', mail: await loadWantsMail(db, caller.user.id) };
    },

    async updateNotificationSettings({ caller, body }) {
      await updateWantsMail(db, caller.user.id, body.mail);
      return { object: 'notification-settings', mail: body.mail };
    },
  };
}
