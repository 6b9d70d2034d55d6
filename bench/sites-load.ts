/**
 * Sends requests to one address for a while from a process of its own: `node bench/sites-load.ts <address> <seconds> [rate]`;
 * prints JSON. Without a rate, 50 connections each send as soon as they have an answer, which measures how much the server
 * can do. With one, so many requests are sent in a second whatever becomes of the others, and each takes from the moment
 * when it was due, so that those that had to wait for a slow one count as slow, too. What is sent in the first second, while
 * connections are made and both sides warm up, is not counted.
 */
import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';

const [address = '', seconds = '5', rate] = process.argv.slice(2);
const { origin, pathname } = new URL(address);
const CONNECTIONS = 50;
const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
const headers = { 'accept-encoding': 'br' };
const times: number[] = [];
const WARM_UP_MS = rate === undefined ? 0 : 1_000;
const counted = performance.now() + WARM_UP_MS;
const end = counted + Number(seconds) * 1000;
let bytes = 0;

/** @param due when it should be sent */
async function send(due: number): Promise<void> {
  const { statusCode, body } = await pool.request({ path: pathname, method: 'GET', headers });
  const received = await body.bytes();
  if (statusCode !== 200) throw new Error(`${address} answered ${statusCode}.`);
  bytes = received.length;
  if (due >= counted) times.push(performance.now() - due);
}

async function sendUntilEnd(): Promise<void> {
  while (performance.now() < end) await send(performance.now());
}

async function sendAtRate(perSecond: number): Promise<void> {
  const sent: Promise<void>[] = [];
  for (let due = performance.now(); due < end; due += 1000 / perSecond) {
    // The pause takes no processor time from the server; what became due meanwhile is sent together, and counts from then.
    if (performance.now() < due) await setTimeout(1);
    sent.push(send(due));
  }
  await Promise.all(sent);
}

const started = performance.now();
if (rate === undefined) await Promise.all(Array.from({ length: CONNECTIONS }, sendUntilEnd));
else await sendAtRate(Number(rate));
const took = (performance.now() - started) / 1000;
await pool.close();
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0;
console.log(JSON.stringify({ perSecond: times.length / took, p50: at(0.5), p99: at(0.99), bytes }));
