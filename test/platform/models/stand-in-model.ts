import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readBody } from 'node:stream/consumers';
import type { ModelSettings } from '../../../src/platform/models/model-settings.ts';
import { PATIENCE_MS } from '../../support/patience.ts';

/** What the model is sent. */
export interface SeenRequest {
  readonly authorization: string | undefined;
  readonly instructions: string;
  /** The JSON value of the second message. */
  readonly data: unknown;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What becomes of a request: an object is the model's answer. */
export type Reply =
  | { readonly answer: unknown; readonly tokens?: number }
  | { readonly content: unknown }
  | { readonly raw: string; readonly status?: number }
  /** Never answers. */
  | 'hang'
  /** Sends its answer a byte at a time, for ever. */
  | 'trickle'
  /** Sends without an end, fast. */
  | 'flood'
  /** Ends the connection in the middle. */
  | 'break';

/** How long who asks waits for an answer: not for long where none comes, and else as long as a busy machine takes. */
export const timeoutFor = (reply: Reply): number =>
  reply === 'hang' || reply === 'trickle' ? 400 : PATIENCE_MS;

export interface StandInModel {
  /** With `/v1`. */
  readonly url: string;
  readonly requests: SeenRequest[];
  /** Answers; a test sets it. */
  reply: (request: SeenRequest) => Reply;
  /** Those of a model that asks here. A change of `timeoutMs` counts from the next request. */
  readonly settings: ModelSettings & { timeoutMs: number };
  /** Resolves when the next answer ends, or its client is gone. */
  nextClose(): Promise<void>;
  close(): Promise<void>;
}

/** `POST /v1/chat/completions` on this machine, as slow, wrong or verbose as a test needs it. */
export async function startStandInModel(reply: (request: SeenRequest) => Reply): Promise<StandInModel> {
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await readBody(request));
    const [system, user] = body.messages as { content: string }[];
    const seen: SeenRequest = {
      authorization: request.headers.authorization,
      instructions: system?.content ?? '',
      data: JSON.parse(user?.content ?? 'null'),
      body,
    };
    standIn.requests.push(seen);
    response.once('close', () => server.emit('answered'));
    if (request.url !== '/v1/chat/completions') return void response.writeHead(404).end('{}');
    send(response, standIn.reply(seen));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const standIn: StandInModel = {
    url,
    settings: { url, key: null, model: 'stand-in', tokensPerDay: 100_000_000, timeoutMs: PATIENCE_MS },
    requests: [],
    reply,
    nextClose: () => new Promise((resolve) => server.once('answered', resolve)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return standIn;
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === 'hang') return;
  const status = typeof reply === 'object' && 'raw' in reply ? (reply.status ?? 200) : 200;
  response.writeHead(status, { 'content-type': 'application/json' });
  if (reply === 'trickle') {
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  } else if (reply === 'flood') {
    const chunk = 'x'.repeat(64 * 1024);
    const more = () => {
      while (response.writable && response.write(chunk));
    };
    response.on('drain', more).on('error', () => {});
    more();
  } else if (reply === 'break') {
    response.write('{"choices":');
    response.socket?.destroySoon();
  } else if ('raw' in reply) {
    response.end(reply.raw);
  } else {
    const content = 'content' in reply ? reply.content : JSON.stringify(reply.answer);
    const usage = 'tokens' in reply ? { total_tokens: reply.tokens } : undefined;
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }], usage }));
  }
}
