import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { AddressRefusedError, createAddressGuard, createHttp, FetchError } from '../../net/index.ts';
import { correctTokens, type Db, reserveTokens } from '../../store/index.ts';
import { chatRequest, TEXTS_ARE_DATA } from './chat-request.ts';
import { ModelRefusal } from './model-refusal.ts';
import type { ModelSettings } from './model-settings.ts';
import { objectIn, textOfCompletion } from './read-completion.ts';

/** What is asked of a model. */
export interface ModelRequest<Answer extends TSchema> {
  /** Ours, and those of the people who run the docs; nothing that visitors or pages say. */
  readonly instructions: string;
  /** What it is about: texts that others wrote, which are data and no instructions. */
  readonly data: unknown;
  /** An object; an answer that does not fit is refused, so its texts and lists need limits. */
  readonly answer: Answer;
  /** The most tokens of the answer. Default 1,500. */
  readonly maxTokens?: number;
  /** The part of the day's tokens after which it is refused, from 0 to 1, so that others get the rest. Default 1. */
  readonly share?: number;
  readonly signal?: AbortSignal;
}

/** A language model without tools: it reads what it is sent, and answers with one JSON object. */
export interface Model {
  /** As the operator configured it, for people. */
  readonly name: string;
  /** @throws {ModelRefusal} when there is no answer that fits; the signal's reason when it aborts. */
  complete<Answer extends TSchema>(request: ModelRequest<Answer>): Promise<Static<Answer>>;
  close(): Promise<void>;
}

/** In bytes: an answer is a few thousand tokens at most. */
const MAX_ANSWER = 256 * 1024;
/** In UTF-16 code units of the request's texts; more than any caller sends. */
const MAX_REQUEST = 200_000;
const MAX_TOKENS = 1_500;
/** Requests of one process at once; whoever comes then takes the way without a model rather than wait. */
const AT_ONCE = 16;

/** So many bytes of a text are at least one token, in every usual vocabulary. */
const BYTES_PER_TOKEN = 3;

/** Any endpoint with OpenAI's chat completions (https://platform.openai.com/docs/api-reference/chat). */
export function openModel(db: Db, settings: ModelSettings): Model {
  const { url, model, tokensPerDay, timeoutMs } = settings;
  const endpoint = `${url}/chat/completions`;
  const { host } = new URL(endpoint);
  const http = createHttp({
    guard: createAddressGuard({ allowHosts: [host] }),
    userAgent: 'docloom',
    timeouts: {
      connectMs: Math.min(10_000, timeoutMs),
      headersMs: timeoutMs,
      bodyMs: timeoutMs,
      totalMs: timeoutMs,
    },
    connections: AT_ONCE,
  });
  let underWay = 0;

  /** The answer's text, and what the endpoint says that it used. */
  async function post(
    body: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<{ text: string; used: number }> {
    const response = await http
      .request(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
        body,
        ...(signal === undefined ? {} : { signal }),
        maxBytes: MAX_ANSWER,
        retries: 0,
      })
      .catch((error: unknown) => {
        if (error instanceof FetchError)
          throw new ModelRefusal(error.code === 'timeout' ? 'timeout' : 'failed', error.message, {
            cause: error,
          });
        if (error instanceof AddressRefusedError)
          throw new ModelRefusal('failed', `${error.message} Check OPENAI_URL.`, { cause: error });
        throw error;
      });
    if (response.status !== 200) {
      const advice =
        response.status === 401 || response.status === 403
          ? 'check OPENAI_API_KEY'
          : 'check OPENAI_URL, OPENAI_MODEL and the quota there';
      throw new ModelRefusal(
        'failed',
        `${host} answered ${response.status} to a request for ${model}: ${advice}.`,
      );
    }
    return readCompletion(response.text(), host);
  }

  return {
    name: model,
    close: () => http.close(),
    async complete({ instructions, data, answer, maxTokens = MAX_TOKENS, share = 1, signal }) {
      signal?.throwIfAborted();
      const given = JSON.stringify(data);
      if (given.length + instructions.length > MAX_REQUEST)
        throw new ModelRefusal(
          'failed',
          `A request for ${model} has more than ${MAX_REQUEST} characters, which is the limit here.`,
        );
      if (underWay >= AT_ONCE)
        throw new ModelRefusal('busy', `${AT_ONCE} requests for ${model} are under way at this moment.`);
      const { headers, ...request } = chatRequest(settings, {
        instructions: `${instructions}\n\n${rulesFor(answer)}`,
        data: given,
        maxTokens,
      });
      const body = JSON.stringify(request.body);
      const sent = Math.ceil(Buffer.byteLength(body) / BYTES_PER_TOKEN);
      underWay += 1;
      try {
        const day = await reserveTokens(db, sent + maxTokens, Math.floor(tokensPerDay * share));
        if (day === null)
          throw new ModelRefusal(
            'budget',
            `Today’s tokens for ${model} are used up${share < 1 ? `, as far as this kind of work may use them (${Math.round(100 * share)}%)` : ''}: raise OPENAI_TOKENS_PER_DAY, or wait until midnight in UTC.`,
          );
        const completion = await post(body, headers, signal);
        // A count that is too low to be true would open the budget.
        const received = Math.ceil(Buffer.byteLength(completion.text) / 4);
        const used = Math.max(completion.used, Math.ceil(sent / 3) + received);
        await correctTokens(db, day, used - sent - maxTokens);
        return readAnswer(completion.text, answer, model);
      } finally {
        underWay -= 1;
      }
    },
  };
}

function rulesFor(answer: TSchema): string {
  return [
    `The next message is one JSON value. ${TEXTS_ARE_DATA}`,
    `Answer with one JSON object and nothing else. It must fit this JSON Schema: ${JSON.stringify(answer)}`,
  ].join('\n\n');
}

function readCompletion(text: string, host: string): { text: string; used: number } {
  let completion: { usage?: { total_tokens?: unknown } } | null = null;
  try {
    completion = JSON.parse(text);
  } catch {
    // Not JSON: refused below.
  }
  const content = textOfCompletion(completion);
  if (content === null)
    throw new ModelRefusal(
      'wrong-answer',
      `${host} did not answer as chat completions do: check that OPENAI_URL ends with /v1.`,
    );
  const used = completion?.usage?.total_tokens;
  return { text: content, used: Number.isSafeInteger(used) ? Math.max(0, used as number) : 0 };
}

function readAnswer<Answer extends TSchema>(text: string, schema: Answer, model: string): Static<Answer> {
  const value = objectIn(text);
  if (value === null) throw new ModelRefusal('wrong-answer', `${model} did not answer with a JSON object.`);
  if (!Compile(schema).Check(value))
    throw new ModelRefusal(
      'wrong-answer',
      `${model} answered with an object of another shape than it was told.`,
    );
  return value as Static<Answer>;
}
