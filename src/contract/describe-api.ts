import type { TSchema } from 'typebox';
import { ErrorBody, errorReasons } from './errors.ts';
import { type AnyOperation, eventOf, isBytes, isNothing, listHeaders, paramNames } from './operation.ts';
import { toWireSchema, type WireSchema } from './wire-schema.ts';

const meanings: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  204: 'Done; the response has no body.',
  206: 'The part that `Range` requests.',
  304: 'Not changed since the `ETag` that was sent.',
};

/** The OpenAPI 3.1 document for a table of operations. `serverUrl` ends in `/v1`. */
export function describeApi(
  operations: Readonly<Record<string, AnyOperation>>,
  options: { serverUrl: string; version: string },
): WireSchema {
  const schemas: WireSchema = {};
  const embed = (schema: TSchema): WireSchema => {
    const wire = toWireSchema(schema, (name) => `#/components/schemas/${name}`);
    Object.assign(schemas, Object.fromEntries(wire.named));
    return wire.schema;
  };
  const error = embed(ErrorBody);

  const paths: Record<string, WireSchema> = {};
  for (const operation of Object.values(operations)) {
    const path = operation.path.replaceAll(/:([A-Za-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, embed, error) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Docloom platform',
      version: options.version,
      description:
        'Operations and fields marked `x-extension` go beyond the published description of the platform.',
    },
    servers: [{ url: options.serverUrl }],
    security: [{ token: [] }],
    tags: [...new Set(Object.values(operations).map((operation) => operation.tag))].map((name) => ({ name })),
    paths,
    components: { schemas, securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  };
}

function describe(
  operation: AnyOperation,
  embed: (schema: TSchema) => WireSchema,
  error: WireSchema,
): WireSchema {
  const query = operation.query as { properties?: Record<string, TSchema>; required?: readonly string[] };
  const headers = listHeaders(operation).map(([name, schema]) => [
    name,
    { required: true, schema: embed(schema) },
  ]);
  const failures = Map.groupBy(operation.errors, (reason) => errorReasons[reason].status);
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    tags: [operation.tag],
    ...(operation.extension ? { 'x-extension': true } : {}),
    ...(operation.open ? { security: [] } : {}),
    parameters: [
      ...paramNames(operation.path).map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...Object.entries(query.properties ?? {}).map(([name, schema]) => ({
        name,
        in: 'query',
        required: query.required?.includes(name) ?? false,
        schema: embed(schema),
      })),
      ...(operation.conditional
        ? [{ name: 'if-none-match', in: 'header', required: false, schema: { type: 'string' } }]
        : []),
    ],
    ...(isNothing(operation.body)
      ? {}
      : {
          requestBody: { required: !operation.optionalBody, ...json(embed(operation.body)) },
        }),
    responses: {
      [operation.status]: {
        description: meanings[operation.status],
        ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
        ...describeAnswer(operation.answer, embed),
      },
      ...(isBytes(operation.answer)
        ? { 206: { description: meanings[206], ...describeAnswer(operation.answer, embed) } }
        : {}),
      ...(operation.conditional ? { 304: { description: meanings[304] } } : {}),
      ...Object.fromEntries(
        [...failures].map(([status, reasons]) => [
          status,
          {
            description: reasons
              .map((reason) => `\`${reason}\`: ${errorReasons[reason].meaning}`)
              .join('\n\n'),
            'x-reasons': reasons,
            ...json(error),
          },
        ]),
      ),
    },
  };
}

function describeAnswer(answer: TSchema, embed: (schema: TSchema) => WireSchema): WireSchema {
  if (isNothing(answer)) return {};
  const event = eventOf(answer);
  if (event !== null) return { content: { 'text/event-stream': { schema: embed(event) } } };
  return isBytes(answer) ? { content: { '*/*': {} } } : json(embed(answer));
}

function json(schema: WireSchema): WireSchema {
  return { content: { 'application/json': { schema } } };
}
