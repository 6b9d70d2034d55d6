import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import { type Answer, encode, idOf, type TestIdentityProvider } from './identity-provider.ts';

/**
 * Serves the page of an identity provider where somebody agrees to sign in, with a form that posts the answer. Its host is
 * `localhost`, which for a browser is another site than 127.0.0.1.
 */
export async function serveIdentityProvider(
  idp: TestIdentityProvider,
  answer: () => Partial<Answer>,
): Promise<{ readonly ssoUrl: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    // Browsers ask for an icon, too.
    if (pathname !== '/sso') {
      response.writeHead(404).end();
      return;
    }
    const asked = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
    const read = (pattern: RegExp) => pattern.exec(asked)?.[1] ?? '';
    const acsURL = read(/AssertionConsumerServiceURL="([^"]+)"/);
    const xml = idp.write(
      {
        acsURL,
        entityID: read(/Issuer[^>]*>([^<]+)</),
        requestId: read(/ ID="([^"]+)"/),
        now: new Date(),
      },
      answer(),
    );
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><title>Identity provider</title><h1>Identity provider</h1>
<form method="post" action="${acsURL}">
<input type="hidden" name="SAMLResponse" value="${encode(idp.sign(xml, idOf(xml, 'Assertion')))}">
<input type="hidden" name="RelayState" value="${searchParams.get('RelayState')}">
<button type="submit">Agree</button></form>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ssoUrl: `http://localhost:${port}/sso`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
