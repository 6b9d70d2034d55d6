/**
 * Sends requests to one address for a while from a process of its own: `node bench/sites-load.ts <address> <seconds> [rate]`;
 * prints JSON. Without a rate, 50 connections each send as soon as they have an answer, which measures how much the server
 * can do. With one, so many requests are sent in a second whatever becomes of the others, and each takes from the moment
 * when it was due, so that those that had to wait for a slow one count as slow, too. What is sent in the first second, while
 * connections are made and both sides warm up, is not counted.
 *
 * It counts bytes on plain sockets: an HTTP client needs more processor time for an answer than the servers that are
 * measured on the same machine, and the slowest answers would be those of its own garbage collection.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

const [address = '', seconds = '5', rate] = process.argv.slice(2);
const { hostname, port, host, pathname } = new URL(address);
const CONNECTIONS = 50;
const REQUEST = Buffer.from(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: br\r\n\r\n`);
const STATUS = Buffer.from('HTTP/1.1 200 ');
const HEAD_END = Buffer.from('\r\n\r\n');
const WARM_UP_MS = 1_000;
const counted = performance.now() + WARM_UP_MS;
const end = counted + Number(seconds) * 1000;

/** In µs: more of them than can come are room for. */
const times = new Uint32Array(Math.ceil(Number(seconds) * 300_000));
let timed = 0;
let bytes = 0;
/** The longest of them, and when its request was due, in ms. */
let longest = { ms: 0, due: counted };
/** Whether all that were due were sent, or none are due at any time. */
let isSent = rate === undefined;

interface Connection {
  readonly socket: Socket;
  /** When the request under way should have been sent. */
  due: number;
  /** Of the answer under way: what is still to come, once its head was read. */
  missing: number | null;
}

/** When requests were due for which no connection was free, and how many of them were sent since. */
const waiting: number[] = [];
let taken = 0;
const free: Connection[] = [];

function send(connection: Connection, due: number): void {
  connection.due = due;
  connection.socket.write(REQUEST);
}

function receive(connection: Connection, chunk: Buffer): void {
  if (connection.missing === null) {
    if (!chunk.subarray(0, STATUS.length).equals(STATUS))
      throw new Error(`${address} answered ${chunk.toString('latin1', 0, 40)}`);
    const head = chunk.indexOf(HEAD_END);
    const [, length] = /\r\ncontent-length: (\d+)/i.exec(chunk.toString('latin1', 0, head)) ?? [];
    if (length === undefined) throw new Error(`${address} did not say how long its answer is.`);
    bytes = Number(length);
    connection.missing = head + HEAD_END.length + bytes;
  }
  connection.missing -= chunk.length;
  if (connection.missing > 0) return;
  connection.missing = null;
  const now = performance.now();
  if (connection.due >= counted) {
    const ms = now - connection.due;
    if (ms > longest.ms) longest = { ms, due: connection.due };
    times[timed] = ms * 1000;
    timed += 1;
  }
  if (rate === undefined && now < end) send(connection, now);
  else if (taken < waiting.length) {
    send(connection, waiting[taken] ?? now);
    taken += 1;
  } else free.push(connection);
  finishAtEnd();
}

function finishAtEnd(): void {
  if (isSent && performance.now() >= end && free.length === CONNECTIONS) finished();
}

const { promise: isFinished, resolve: finished } = Promise.withResolvers<void>();

for (let nth = 0; nth < CONNECTIONS; nth += 1) {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  const connection: Connection = { socket, due: 0, missing: null };
  socket.on('data', (chunk) => receive(connection, chunk));
  free.push(connection);
}
if (rate === undefined) for (const connection of free.splice(0)) send(connection, performance.now());
else {
  for (let due = performance.now(); due < end; due += 1000 / Number(rate)) {
    // The pause takes no processor time from the server; what became due meanwhile is sent together, and counts from then.
    if (performance.now() < due) await setTimeout(1);
    const connection = free.pop();
    if (connection === undefined) waiting.push(due);
    else send(connection, due);
  }
  isSent = true;
  finishAtEnd();
}
await isFinished;
for (const { socket } of free) socket.destroy();
const sorted = times.subarray(0, timed).sort();
const at = (share: number) => (sorted[Math.floor((timed - 1) * share)] ?? 0) / 1000;
console.log(
  JSON.stringify({
    perSecond: timed / Number(seconds),
    p50: at(0.5),
    p99: at(0.99),
    longest: longest.ms,
    longestAt: (longest.due - counted) / 1000,
    bytes,
  }),
);
