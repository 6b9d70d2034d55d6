/** Sends requests to one address for a while from a process of its own: `node bench/sites-load.ts <address> <seconds>`; prints JSON. */
import { Pool } from 'undici';

const [address = '', seconds = '5'] = process.argv.slice(2);
const { origin, pathname } = new URL(address);
const CONNECTIONS = 50;
const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
const headers = { 'accept-encoding': 'br' };
const times: number[] = [];
const end = performance.now() + Number(seconds) * 1000;
let bytes = 0;

async function sendUntilEnd(): Promise<void> {
  while (performance.now() < end) {
    const started = performance.now();
    const { statusCode, body } = await pool.request({ path: pathname, method: 'GET', headers });
    const received = await body.bytes();
    if (statusCode !== 200) throw new Error(`${address} answered ${statusCode}.`);
    bytes = received.length;
    times.push(performance.now() - started);
  }
}

const started = performance.now();
await Promise.all(Array.from({ length: CONNECTIONS }, sendUntilEnd));
const took = (performance.now() - started) / 1000;
await pool.close();
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0;
console.log(JSON.stringify({ perSecond: times.length / took, p50: at(0.5), p99: at(0.99), bytes }));
