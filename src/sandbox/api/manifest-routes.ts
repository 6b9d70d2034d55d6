import { takePendingApp } from '../actions/register-app.ts';
import { presentApp } from '../present/app.ts';
import { notFound } from './api-error.ts';
import { created, type PlainRoute } from './route.ts';

/** https://docs.github.com/rest/apps/apps#create-a-github-app-from-a-manifest */
export const manifestRoutes: readonly PlainRoute[] = [
  {
    method: 'POST',
    path: '/app-manifests/:code/conversions',
    callers: ['anonymous', 'user', 'installation', 'app'],
    run: ({ context, params }) => {
      const taken = takePendingApp(context, params['code'] ?? '');
      if (taken === null) throw notFound();
      const { app, privateKey, clientSecret } = taken;
      return created({
        ...presentApp(context, app),
        client_secret: clientSecret,
        webhook_secret: app.webhookSecret,
        pem: privateKey,
      });
    },
  },
];
