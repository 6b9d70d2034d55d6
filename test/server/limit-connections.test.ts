import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { limitConnections } from '../../src/server/limit-connections.ts';

let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sees which bodies make progress; the server calls it every two seconds. */
let look: () => void;

async function listen(handler: RequestListener): Promise<void> {
  server = createServer(handler);
  limitConnections(server, 3, (see) => {
    look = see;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** A connection that has sent `text`, and that the server knows of. */
async function open(text = ''): Promise<Socket> {
  const known = once(server, 'connection');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  await known;
  socket.resume(); // a socket with unread data never closes
  if (text !== '') socket.write(text);
  return socket;
}

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

async function isAnswered(): Promise<boolean> {
  const socket = await open(get);
  try {
    const [data] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    return String(data).startsWith('HTTP/1.1 200');
  } finally {
    socket.destroy();
  }
}

const holders = [
  ['nothing', ''],
  ['half a head', 'GET / HTTP/1.1\r\nHost:'],
  ['a request, and nothing after its response', get],
  ['half a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf'],
] as const;

test.each(holders)('connections that send %s keep nobody out', async (_name, text) => {
  await listen((request, response) => {
    request.resume().on('end', () => response.end('here'));
  });
  const held = [await open(text), await open(text), await open(text)];
  expect(await isAnswered()).toBe(true);
  await expect.poll(() => held.filter((socket) => socket.closed).length).toBe(1);
});

test('clients that do not read their responses keep nobody out', async () => {
  const large = Buffer.alloc(30_000_000, 'x');
  await listen((request, response) => void response.end(request.url === '/large' ? large : 'here'));
  for (let i = 0; i < 3; i += 1) {
    const requested = once(server, 'request');
    (await open(get.replace('/', '/large'))).pause();
    await requested;
  }
  expect(await isAnswered()).toBe(true);
});

test('a new connection is closed where all others wait for the server', async () => {
  const waiting: (() => void)[] = [];
  await listen((_request, response) => void waiting.push(() => response.end('here')));
  const busy = [];
  for (let i = 0; i < 3; i += 1) {
    const requested = once(server, 'request');
    busy.push(await open(get));
    await requested;
  }
  expect(await isAnswered()).toBe(false);
  const answers = busy.map(async (socket) => String((await once(socket, 'data'))[0]));
  for (const answer of waiting) answer();
  expect((await Promise.all(answers)).every((answer) => answer.startsWith('HTTP/1.1 200'))).toBe(true);
});

describe('a slow upload', () => {
  const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n';
  const others = [
    ['young bodies', false],
    ['bodies that stand still', true],
  ] as const;

  test.each(others)('is not closed for %s', async (_name, areOlder) => {
    const requests: IncomingMessage[] = [];
    await listen((request, response) => {
      requests.push(request);
      request.resume().on('end', () => response.end('here'));
    });
    /** The connection, once the server has its request. */
    const upload = async () => {
      const requested = once(server, 'request');
      const socket = await open(`${post}half`);
      await requested;
      return socket;
    };
    const slow = await upload();
    const held = areOlder ? [await upload(), await upload()] : [];
    look();
    const before = requests[0]?.socket.bytesRead ?? 0;
    slow.write('more');
    await expect.poll(() => requests[0]?.socket.bytesRead).toBeGreaterThan(before);
    look();
    while (held.length < 2) held.push(await upload());

    expect(await isAnswered()).toBe(true);
    await expect.poll(() => held.filter((socket) => socket.closed).length).toBe(1);
    held.push(await upload());
    expect(await isAnswered()).toBe(true);
    await expect.poll(() => held.filter((socket) => socket.closed).length).toBe(2);
    expect(slow.closed).toBe(false);
  });
});
