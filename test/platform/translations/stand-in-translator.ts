import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readBody } from 'node:stream/consumers';

/** What becomes of one request in place of its answer. */
export type Fault =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** None: it is answered. */
  | 'answer'
  /** Never answers. */
  | 'hang'
  /** Sends its answer a byte at a time, for ever. */
  | 'trickle';

export interface StandIn {
  readonly url: string;
  readonly key: string;
  /** Each text that was answered, in order. */
  readonly answered: string[];
  /** When each request came, in milliseconds, and the last one's body. */
  readonly arrivals: number[];
  lastBody: Readonly<Record<string, unknown>>;
  /** The most requests that were under way at once. */
  mostAtOnce: number;
  /** For the coming requests, one each. */
  readonly faults: Fault[];
  /** The most signs of a request. */
  maxSigns: number;
  close(): Promise<void>;
}

/** An answer of a translator: a status with a body. */
type Answer = readonly [status: number, body: unknown];
type Translator = (
  request: {
    readonly path: string;
    readonly authorization: string;
    readonly body: Body;
    readonly bytes: number;
  },
  standIn: StandIn,
) => Answer;
type Body = Readonly<Record<string, unknown>>;

/** Capitals, with marks and entities left alone. */
const capitals = (text: string) =>
  text.replace(/(<[^>]*>|&\w+;)|([^<&]+)/g, (_all, mark = '', words = '') => mark + words.toUpperCase());

const signsOf = (texts: readonly string[]) => texts.reduce((sum, one) => sum + one.length, 0);

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' && one !== '');

/** Whether every tag ends, and nothing stands unescaped: what a reader of XML takes. */
function isWellFormed(text: string): boolean {
  let rest = text.replace(/<\w+(?: \w+="[^"<]*")*\/>/g, '');
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(/<(\w+)(?: \w+="[^"<]*")*>([^<]*)<\/\1>/g, '$2');
  }
  return !/<|&(?!(?:amp|lt|gt|quot|apos);)/.test(rest);
}

/** `POST /v1/chat/completions` as https://platform.openai.com/docs/api-reference/chat tells it. */
export const openAi: Translator = ({ path, authorization, body }, { key, answered }) => {
  if (authorization !== `Bearer ${key}`) return [401, { error: { message: 'Incorrect API key provided.' } }];
  if (path !== '/v1/chat/completions') return [404, { error: { message: 'Unknown URL' } }];
  const { messages } = body as { messages?: readonly { readonly content: string }[] };
  const texts: Record<string, string> = JSON.parse(messages?.at(-1)?.content ?? '{}');
  answered.push(...Object.values(texts));
  const answers = Object.fromEntries(Object.entries(texts).map(([at, text]) => [at, capitals(text)]));
  return [200, { choices: [{ message: { content: JSON.stringify(answers) } }] }];
};

/** `POST /v2/translate` as https://developers.deepl.com/api-reference/translate tells it. */
export const deepl: Translator = ({ path, authorization, body, bytes }, { key, answered, maxSigns }) => {
  if (authorization !== `DeepL-Auth-Key ${key}`) return [403, { message: 'Authorization failed' }];
  if (path !== '/v2/translate') return [404, { message: 'Not found' }];
  const { text, target_lang: target, source_lang: source, tag_handling: tags, context, ...rest } = body;
  if (Object.keys(rest).length > 0) return [400, { message: `Unknown ${Object.keys(rest)}` }];
  if (!isTexts(text) || text.length > 50) return [400, { message: "Parameter 'text' is wrong." }];
  if (bytes > 128 * 1024 || signsOf(text) > maxSigns) return [413, { message: 'Request Entity Too Large' }];
  if (!['DE', 'EN-US', 'PT-PT', 'PT-BR', 'ZH-HANS', 'NB'].includes(String(target)))
    return [400, { message: "Value for 'target_lang' not supported." }];
  if (source !== undefined && !['EN', 'PT', 'DE'].includes(String(source)))
    return [400, { message: "Value for 'source_lang' not supported." }];
  if (tags !== 'xml' || !text.every(isWellFormed)) return [400, { message: 'Tag handling parsing failed.' }];
  if (context !== undefined && typeof context !== 'string') return [400, { message: 'Bad context.' }];
  answered.push(...text);
  const translations = text.map((one) => ({ detected_source_language: 'EN', text: capitals(one) }));
  return [200, { translations }];
};

/** `POST /translate` as https://docs.libretranslate.com tells it, with what its HTML reader does to tags and entities. */
export const libreTranslate: Translator = ({ path, body }, { key, answered, maxSigns }) => {
  if (path !== '/translate') return [404, { error: 'Not found' }];
  const { q, source, target, format, api_key: given, ...rest } = body;
  if (given === undefined) return [400, { error: 'Please contact the server operator to get an API key' }];
  if (given !== key) return [403, { error: 'Invalid API key' }];
  if (Object.keys(rest).length > 0 || !isTexts(q)) return [400, { error: 'Invalid request' }];
  const signs = signsOf(q);
  if (signs > maxSigns)
    return [400, { error: `Invalid request: request (${signs}) exceeds text limit (${maxSigns})` }];
  for (const language of [source, target]) {
    if (!['en', 'de', 'pt-BR', 'zh-Hans', 'nb', 'auto'].includes(String(language)))
      return [400, { error: `${String(language)} is not supported` }];
  }
  if (format !== 'html') return [400, { error: `${String(format)} format is not supported` }];
  answered.push(...q);
  const translatedText = q.map((one) =>
    capitals(one)
      .replace(/<x id="(\d+)"\/>/g, '<x id="$1"></x>')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&'),
  );
  return [200, { translatedText }];
};

/** A translator on this machine that takes what the real one takes. */
export async function startTranslator(translate: Translator, key: string): Promise<StandIn> {
  let underWay = 0;
  const server = createServer((request, response) => {
    underWay += 1;
    standIn.mostAtOnce = Math.max(standIn.mostAtOnce, underWay);
    response.on('close', () => (underWay -= 1));
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const standIn: StandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    answered: [],
    arrivals: [],
    lastBody: {},
    mostAtOnce: 0,
    faults: [],
    maxSigns: Number.POSITIVE_INFINITY,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readBody(request);
    standIn.arrivals.push(Date.now());
    const fault = standIn.faults.shift();
    if (fault === 'hang') return;
    if (fault === 'trickle') {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
      return;
    }
    if (fault !== undefined && fault !== 'answer') {
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
      response.end(JSON.stringify(fault.body ?? {}));
      return;
    }
    const { method, url = '', headers } = request;
    const isJson = method === 'POST' && headers['content-type'] === 'application/json';
    standIn.lastBody = isJson ? JSON.parse(text) : {};
    const [status, body] = isJson
      ? translate(
          {
            path: url,
            authorization: headers.authorization ?? '',
            body: standIn.lastBody,
            bytes: Buffer.byteLength(text),
          },
          standIn,
        )
      : [400, { message: 'Send JSON.' }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  return standIn;
}
