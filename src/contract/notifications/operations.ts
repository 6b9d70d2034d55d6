import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, pagingFields } from '../paging.ts';
import { Notification, NotificationSettings } from './notification.ts';

const tag = 'Notifications';

export const notificationOperations = {
  listNotifications: defineOperation({
    id: 'listNotifications',
    method: 'GET',
    path: '/user/notifications',
    tag,
    summary: 'List what the caller should look at, the newest first.',
    description: 'Those of spaces whose comments they may read. Each is kept for 90 days.',
    query: Type.Object(
      { ...pagingFields, unread: Type.Optional(Type.Boolean({ description: 'Only unread or read ones.' })) },
      { additionalProperties: false },
    ),
    responses: { 200: ListOf(Notification) },
    extension: true,
  }),
  updateNotification: defineOperation({
    id: 'updateNotification',
    method: 'PUT',
    path: '/user/notifications/:notificationId',
    tag,
    summary: 'Mark a notification as read or unread.',
    body: Type.Object({ read: Type.Boolean() }, { additionalProperties: false }),
    responses: { 200: Notification },
    extension: true,
  }),
  readNotifications: defineOperation({
    id: 'readNotifications',
    method: 'POST',
    path: '/user/read-notifications',
    tag,
    summary: 'Mark all notifications of the caller as read.',
    responses: { 204: Type.Void() },
    extension: true,
  }),
  getNotificationSettings: defineOperation({
    id: 'getNotificationSettings',
    method: 'GET',
    path: '/user/notification-settings',
    tag,
    summary: 'Read how the caller is notified.',
    responses: { 200: NotificationSettings },
    extension: true,
  }),
  updateNotificationSettings: defineOperation({
    id: 'updateNotificationSettings',
    method: 'PUT',
    path: '/user/notification-settings',
    tag,
    summary: 'Choose how the caller is notified.',
    body: Type.Object({ mail: Type.Boolean() }, { additionalProperties: false }),
    responses: { 200: NotificationSettings },
    extension: true,
  }),
} as const;
