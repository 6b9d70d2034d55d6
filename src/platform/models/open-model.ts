import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { AddressRefusedError, createAddressGuard, createHttp, FetchError } from '../../net/index.ts';
import { correctTokens, type Db, type ModelPurpose, reserveTokens } from '../../store/index.ts';
import { postJson } from '../providers/post-json.ts';
import {
  ProviderBusy,
  ProviderFailure,
  ProviderRefusal,
  RequestTooLarge,
} from '../providers/provider-errors.ts';
import { chatRequest, TEXTS_ARE_DATA } from './chat-request.ts';
import { ModelRefusal } from './model-refusal.ts';
import type { ModelSettings } from './model-settings.ts';
import { objectIn, textOfCompletion } from './read-completion.ts';

/** What is asked of a model. */
export interface ModelRequest<Answer extends TSchema> {
  /** For whom, and for what: so it is counted. */
  readonly organizationId: string;
  readonly purpose: ModelPurpose;
  /** Ours, and those of the people who run the docs; nothing that visitors or pages say. */
  readonly instructions: string;
  /** What it is about: texts that others wrote, which are data and no instructions. */
  readonly data: unknown;
  /** An object; an answer that does not fit is refused, so its texts and lists need limits. */
  readonly answer: Answer;
  /** The most tokens of the answer; null for no limit but that of bytes, and then `expectedTokens` says how long it may be. Default 1,500. */
  readonly maxTokens?: number | null;
  /** The tokens of the answer that are reserved where `maxTokens` is null. */
  readonly expectedTokens?: number;
  /** Whether it leaves a part of the day's tokens to the team: work in the background does, and what readers ask. */
  readonly leavesShare?: boolean;
  /** For the request with its answer, in milliseconds, at most 240,000. Default that of the settings. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A language model without tools: it reads what it is sent, and answers with one JSON object. */
export interface Model {
  /** As the operator configured it, for people. */
  readonly name: string;
  /** Of its endpoint, including `/v1`. */
  readonly url: string;
  /** What all processes together may use on one day in UTC. */
  readonly tokensPerDay: number;
  /** @throws {ModelRefusal} when there is no answer that fits; the signal's reason when it aborts. */
  complete<Answer extends TSchema>(request: ModelRequest<Answer>): Promise<Static<Answer>>;
  close(): Promise<void>;
}

/** The part of the day's tokens after which only the team gets any. */
export const SHARE_OF_OTHERS = 0.7;

/** In bytes: an answer is a few thousand tokens at most. */
const MAX_ANSWER = 256 * 1024;
/** In UTF-16 code units of the request's texts; more than any caller sends. */
const MAX_REQUEST = 200_000;
const MAX_TOKENS = 1_500;
/** Requests of one process at once; whoever comes then takes the way without a model rather than wait. */
const AT_ONCE = 16;
/** What settings allow at most. */
const LONGEST_MS = 240_000;

/** So many bytes of a text are at least one token, in every usual vocabulary. */
const BYTES_PER_TOKEN = 3;

/** Any endpoint with OpenAI's chat completions (https://platform.openai.com/docs/api-reference/chat). */
export function openModel(db: Db, settings: ModelSettings): Model {
  const { url, model, key, tokensPerDay } = settings;
  const { host } = new URL(url);
  const http = createHttp({
    guard: createAddressGuard({ allowHosts: [host] }),
    userAgent: 'docloom',
    timeouts: {
      connectMs: Math.min(10_000, settings.timeoutMs),
      headersMs: LONGEST_MS,
      bodyMs: LONGEST_MS,
      totalMs: LONGEST_MS,
    },
    connections: AT_ONCE,
  });
  let underWay = 0;

  /** The answer's text, and what the endpoint says that it used. */
  async function post(
    request: ReturnType<typeof chatRequest>,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
  ): Promise<{ text: string; used: number }> {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const completion = await postJson(http, {
        ...request,
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
        keySetting: 'OPENAI_API_KEY',
        key,
        tooLargeMessage: /context[ _](?:length|window|size)/i,
        maxBytes: MAX_ANSWER,
      });
      return readCompletion(completion, host);
    } catch (error) {
      signal?.throwIfAborted();
      if (deadline.aborted)
        throw new ModelRefusal('timeout', `${host} did not answer in time, within ${timeoutMs / 1_000} s.`);
      throw toRefusal(error, host);
    }
  }

  return {
    name: model,
    url,
    tokensPerDay,
    close: () => http.close(),
    async complete({ organizationId, purpose, instructions, data, answer, signal, ...options }) {
      signal?.throwIfAborted();
      const { maxTokens = MAX_TOKENS, expectedTokens = MAX_TOKENS, leavesShare = false } = options;
      const given = JSON.stringify(data);
      if (given.length + instructions.length > MAX_REQUEST)
        throw new ModelRefusal(
          'too-large',
          `A request for ${model} has more than ${MAX_REQUEST} characters, which is the limit here.`,
        );
      if (underWay >= AT_ONCE)
        throw new ModelRefusal('busy', `${AT_ONCE} requests for ${model} are under way at this moment.`);
      const request = chatRequest(settings, {
        instructions: `${instructions}\n\n${rulesFor(answer)}`,
        data: given,
        ...(maxTokens === null ? {} : { maxTokens }),
      });
      const sent = Math.ceil(Buffer.byteLength(JSON.stringify(request.body)) / BYTES_PER_TOKEN);
      const reserved = sent + (maxTokens ?? expectedTokens);
      underWay += 1;
      try {
        const reservation = await reserveTokens(db, {
          organizationId,
          purpose,
          tokens: reserved,
          limit: Math.floor(tokensPerDay * (leavesShare ? SHARE_OF_OTHERS : 1)),
        });
        if (reservation === null)
          throw new ModelRefusal(
            'budget',
            `Today’s tokens for ${model} are used up${leavesShare ? `, as far as readers and work in the background may use them (${100 * SHARE_OF_OTHERS}%)` : ''}: raise OPENAI_TOKENS_PER_DAY, or wait until midnight in UTC.`,
          );
        const completion = await post(request, {
          timeoutMs: options.timeoutMs ?? settings.timeoutMs,
          signal,
        });
        // A count that is too low to be true would open the budget.
        const received = Math.ceil(Buffer.byteLength(completion.text) / 4);
        const used = Math.max(completion.used, Math.ceil(sent / 3) + received);
        await correctTokens(db, reservation, used - reserved);
        return readAnswer(completion.text, answer, model);
      } finally {
        underWay -= 1;
      }
    },
  };
}

function toRefusal(error: unknown, host: string): unknown {
  if (error instanceof ModelRefusal) return error;
  if (error instanceof RequestTooLarge) return new ModelRefusal('too-large', error.message, { cause: error });
  if (error instanceof AddressRefusedError)
    return new ModelRefusal('failed', `${error.message} Check OPENAI_URL.`, { cause: error });
  if (error instanceof FetchError && error.code === 'bad-json') return noCompletion(host, error);
  if (error instanceof FetchError)
    return new ModelRefusal(error.code === 'timeout' ? 'timeout' : 'failed', error.message, { cause: error });
  if (error instanceof ProviderBusy || error instanceof ProviderRefusal || error instanceof ProviderFailure)
    return new ModelRefusal('failed', error.message, { cause: error });
  return error;
}

function rulesFor(answer: TSchema): string {
  return [
    `The next message is one JSON value. ${TEXTS_ARE_DATA}`,
    `Answer with one JSON object and nothing else. It must fit this JSON Schema: ${JSON.stringify(answer)}`,
  ].join('\n\n');
}

function readCompletion(completion: unknown, host: string): { text: string; used: number } {
  const text = textOfCompletion(completion);
  if (text === null) throw noCompletion(host);
  const used = (completion as { usage?: { total_tokens?: unknown } | null }).usage?.total_tokens;
  return { text, used: Number.isSafeInteger(used) ? Math.max(0, used as number) : 0 };
}

function noCompletion(host: string, cause?: Error): ModelRefusal {
  return new ModelRefusal(
    'failed',
    `${host} did not answer as chat completions do: check that OPENAI_URL ends with /v1.`,
    { cause },
  );
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
