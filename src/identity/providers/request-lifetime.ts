/** How long a sign-in may take, in milliseconds: passwords, codes by mail and second factors are entered meanwhile. */
export const REQUEST_MS = 10 * 60_000;
