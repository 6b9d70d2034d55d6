import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface LoginProxy {
  /** Without a login. */
  readonly host: string;
  /** What came, and whether it was let through. */
  readonly seen: string[];
  /** The header that it wants; null for none. */
  authorization: string | null;
  close(): Promise<void>;
}

/** A small proxy that connects, whatever host is named, to one port of this machine. */
export async function startLoginProxy(port: number): Promise<LoginProxy> {
  const server: Server = createServer((incoming, answer) => {
    const { host, pathname, search } = new URL(incoming.url ?? '');
    const { 'proxy-authorization': login, ...headers } = incoming.headers;
    if (!admit(`${incoming.method} ${host}`, login))
      return void answer.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"' }).end();
    const onward = request(
      { host: '127.0.0.1', port, path: pathname + search, method: incoming.method, headers },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      },
    );
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('connect', (incoming, socket) => {
    socket.on('error', () => {});
    if (!admit(`CONNECT ${incoming.url}`, incoming.headers['proxy-authorization']))
      return void socket.end(
        'HTTP/1.1 407 Login\r\nproxy-authenticate: Basic realm="proxy"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
      );
    const way = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      way.pipe(socket).pipe(way);
    });
    way.on('error', () => socket.destroy());
    socket.on('close', () => way.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const proxy: LoginProxy = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    authorization: null,
    async close() {
      // Those that were connected onward are not the server's any more.
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function admit(what: string, login: string | undefined): boolean {
    const isIn = proxy.authorization === null || login === proxy.authorization;
    proxy.seen.push(`${what} ${isIn ? 'passed' : 'refused'}`);
    return isIn;
  }
  return proxy;
}
