/** Follows a provider’s redirects, agreeing on its page, until it sends the browser back to a server; returns that address. */
export async function agreeAtProvider(authorizationUrl: string, serverUrl: string): Promise<string> {
  const server = new URL(serverUrl).origin;
  const cookies = new Map<string, string>();
  let url = authorizationUrl;
  for (let step = 0; step < 10; step++) {
    const { pathname, origin } = new URL(url);
    if (origin === server) return url;
    const response = await fetch(url, {
      method: pathname.startsWith('/interaction/') ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`The provider shows ${url}: ${await response.text()}`);
    url = new URL(location, url).href;
  }
  throw new Error('The provider redirects too often.');
}
