import { claimPendingApp } from '../actions/register-app.ts';
import { presentApp } from '../present/app.ts';
import { notFoundError } from './api-error.ts';
import { created, type PlainRoute } from './route.ts';

/** https://docs.github.com/rest/apps/apps#create-a-github-app-from-a-manifest */
export const manifestRoutes: readonly PlainRoute[] = [
  {
    method: 'POST',
    path: '/app-manifests/:code/conversions',
    callers: ['anonymous', 'user', 'installation', 'app'],
    run: ({ context, params }) => {
      const claimed = claimPendingApp(context, params['code'] ?? '');
      if (claimed === null) throw notFoundError();
      const { app, privateKey, clientSecret } = claimed;
      return created({
        ...presentApp(context, app),
        client_secret: clientSecret,
        webhook_secret: app.webhookSecret,
        pem: privateKey,
      });
    },
  },
];
