import Type from 'typebox';
import { defineJob } from '../../queue/index.ts';

/**
 * Makes a link for whoever has an address, and mails it. A job, because the request for it is answered the same, and after
 * the same time, whether there is such an account or not.
 */
export const signInLinkJob = defineJob({
  name: 'identity.link',
  payload: Type.Object({
    email: Type.String(),
    purpose: Type.Union([Type.Literal('sign-in'), Type.Literal('password')]),
    returnTo: Type.Union([Type.String(), Type.Null()]),
    address: Type.Union([Type.String(), Type.Null()]),
    userAgent: Type.Union([Type.String(), Type.Null()]),
    requestId: Type.Union([Type.String(), Type.Null()]),
  }),
  retryLimit: 5,
  retryDelay: 2,
  retryDelayMax: 60,
  expireInSeconds: 60,
  key: ({ email }) => email,
  concurrency: 2,
});
