import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type AnyOperation,
  type Area,
  ErrorBody,
  eventOf,
  isBytes,
  isNothing,
  listHeaders,
  operationsByArea,
} from '../../contract/index.ts';
import type { RequestOrigin } from '../../store/index.ts';
import { authenticate, bearerOf } from '../access/authenticate.ts';
import { nobody } from '../access/caller.ts';
import { PAGE_ORIGIN_HEADER } from '../access/page-origins.ts';
import type { PlatformDeps } from '../deps.ts';
import { AnswerCache } from './answer-cache.ts';
import { requestCheckOf } from './check-request.ts';
import { type Handler, type HandlersOf, NotModified, SerializedAnswer } from './handler.ts';
import { ListScope } from './list-scope.ts';
import { serializerOf } from './serializer-of.ts';
import { writeEvents } from './write-events.ts';

/** Serves every operation of the contract: authenticates, checks the request, calls the handler, serializes the answer. */
export function registerOperations(
  api: FastifyInstance,
  deps: PlatformDeps,
  handlers: { readonly [Name in Area]: HandlersOf<Name> },
): void {
  const answers = new AnswerCache();
  for (const { area, name, operation } of listAreas()) {
    const isList = 'page' in ((operation.query as { properties?: object }).properties ?? {});
    const hasHeaders = listHeaders(operation).length > 0;
    const handler = (handlers[area] as Record<string, Handler<AnyOperation>>)[name] as Handler<AnyOperation>;
    api.route({
      method: operation.method,
      url: operation.path,
      config: { operation },
      ...(operation.bodyLimit === null ? {} : { bodyLimit: operation.bodyLimit }),
      // Callers read parts of files, and the tag of a part is that of the whole file.
      ...(isBytes(operation.answer) || eventOf(operation.answer) ? { compress: false } : {}),
      // Only which statuses have a schema; the serializer compiler uses the schemas of the contract.
      schema: {
        response: { ...(isJson(operation) ? { [operation.status]: {} } : {}), '4xx': {}, '5xx': {} },
      },
      serializerCompiler: ({ httpStatus }) => {
        const schema = httpStatus === String(operation.status) ? operation.answer : ErrorBody;
        return (answer) => serializerOf(schema)(answer);
      },
      // Before the body is read, so that no megabytes are accepted from callers without access.
      onRequest: async (request) => {
        request.caller = operation.open
          ? nobody
          : await authenticate(deps.db, request.headers.authorization, originOf(request, deps));
      },
      handler: async (request, reply) => {
        const input = requestCheckOf(operation)(request);
        const scope = isList ? new ListScope(operation, input.params, input.query as object) : null;
        reply.code(operation.status);
        try {
          const result = await handler({
            params: input.params as never,
            query: (scope?.open(input.query as object) ?? input.query) as never,
            body: input.body as never,
            caller: request.caller,
            identify: (version) => identify(request, reply, version, answers),
            setHeader: (name, value) => void reply.header(name, value),
            setStatus: (status) => void reply.code(status),
            request: { method: request.method, headers: request.headers, origin: originOf(request, deps) },
          });
          const { headers, answer } = hasHeaders
            ? (result as { headers: Record<string, string>; answer: unknown })
            : { headers: {}, answer: result };
          reply.headers(headers);
          if (isNothing(operation.answer)) return await reply.send();
          const event = eventOf(operation.answer);
          if (event !== null) {
            const stream = await writeEvents(answer as AsyncIterable<unknown>, serializerOf(event), (err) =>
              deps.log.error({ err, requestId: request.platformRequestId }, 'An answer ended with an error.'),
            );
            reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no');
            return await reply.type('text/event-stream; charset=utf-8').send(stream);
          }
          if (answer instanceof SerializedAnswer) {
            store(reply, answer.json, answers);
            return await reply.type(json).send(answer.json);
          }
          const sent = scope?.close(answer) ?? answer;
          return await reply.send(isJson(operation) ? serialize(reply, sent, answers) : sent);
        } catch (error) {
          if (error instanceof CachedAnswer) return await reply.type(json).send(error.answer);
          throw error;
        }
      },
    });
  }
}

function originOf(request: FastifyRequest, { pageOrigins }: PlatformDeps): RequestOrigin {
  const named = request.headers[PAGE_ORIGIN_HEADER];
  const token = bearerOf(request.headers.authorization);
  const ofPage = named === undefined || token === null ? null : pageOrigins?.read(named, token);
  if (ofPage) return ofPage;
  return {
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    requestId: request.platformRequestId,
  };
}

function listAreas(): { area: Area; name: string; operation: AnyOperation }[] {
  return Object.entries(operationsByArea).flatMap(([area, operations]) =>
    Object.entries(operations).map(([name, operation]) => ({ area: area as Area, name, operation })),
  );
}

function isJson(operation: AnyOperation): boolean {
  const { answer } = operation;
  return !isNothing(answer) && !isBytes(answer) && eventOf(answer) === null;
}

const json = 'application/json; charset=utf-8';

/** Thrown by `identify` if the answer for this version is cached. */
class CachedAnswer extends Error {
  override readonly name = 'CachedAnswer';
  readonly answer: string;

  constructor(answer: string) {
    super('The answer is cached.');
    this.answer = answer;
  }
}

/** Serializes an answer by its schema, and caches it if it has a version. */
function serialize(reply: FastifyReply, answer: unknown, answers: AnswerCache): string {
  const text = reply.type(json).serialize(answer as object) as string;
  store(reply, text, answers);
  return text;
}

function store(reply: FastifyReply, text: string, answers: AnswerCache): void {
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string') answers.set(etag, text);
}

/** Sets the `ETag`, and completes the request if the caller or the cache has that version (RFC 9110, section 13.1.2). */
function identify(
  request: FastifyRequest,
  reply: FastifyReply,
  version: string,
  answers: AnswerCache,
): string {
  const hash = createHash('sha256').update(`${request.url}\n${version}`).digest('base64url').slice(0, 27);
  const etag = `"${hash}"`;
  // What the caller may see can change, so every use is revalidated.
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  const known = request.headers['if-none-match'];
  if (known?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)) {
    throw new NotModified();
  }
  const cached = answers.get(etag);
  if (cached !== undefined) throw new CachedAnswer(cached);
  return etag;
}
