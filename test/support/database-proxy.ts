/** Between Docloom and its PostgreSQL: a network that can fail. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface DatabaseProxy {
  readonly url: string;
  /** From now on nothing of what is sent on the connections that are open arrives, and they stay open. */
  dropAll(): void;
  /** Ends the next connections that send this text. */
  endWhoSends(text: string, times: number): void;
  /** How many of these are still to come. */
  remaining(): number;
  close(): Promise<void>;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  const deaf = new Set<Socket>();
  let ending = { text: '', times: 0 };
  const server = createServer((incoming) => {
    const outgoing = target.searchParams.has('host')
      ? connect(`${target.searchParams.get('host')}/.s.PGSQL.${target.port || 5432}`)
      : connect(Number(target.port || 5432), target.hostname);
    const end = () => {
      open.delete(incoming);
      incoming.destroy();
      outgoing.destroy();
    };
    open.add(incoming);
    for (const socket of [incoming, outgoing]) socket.on('error', end).on('close', end);
    incoming.on('data', (data) => {
      if (deaf.has(incoming)) return;
      if (ending.times > 0 && data.includes(ending.text)) {
        ending.times -= 1;
        end();
      } else outgoing.write(data);
    });
    outgoing.on('data', (data) => {
      if (!deaf.has(incoming)) incoming.write(data);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { readonly port: number }).port);
  return {
    url: url.href,
    dropAll() {
      for (const socket of open) deaf.add(socket);
    },
    endWhoSends(text, times) {
      ending = { text, times };
    },
    remaining: () => ending.times,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
