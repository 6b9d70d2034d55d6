/** The parts of `oidc-provider` that the tests use; it brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  /** What it stores. */
  export type Payload = Record<string, unknown>;

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (grant: {
      readonly clientId: string;
      readonly accountId: string;
    }) => Grant;
    callback(): RequestListener;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
