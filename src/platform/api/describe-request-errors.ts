import type { TSchema } from 'typebox';
import { Settings } from 'typebox/system';
import { ruleOf } from '../../contract/index.ts';
import type { ErrorDetail } from './api-error.ts';

/** What the validator reports about a value. */
interface SchemaError {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: object;
}

// The default of 8 ends within the alternatives of a single value, before it is known which one is the nearest.
Settings.Set({ maxErrors: 200 });

/** A thousand lines about a body with a thousand mistakes help nobody. */
const MAX_DETAILS = 20;

/** The mistakes of a query or body in words, each once: no patterns, and of alternatives only the nearest one. */
export function describeRequestErrors(
  part: 'query' | 'body',
  schema: TSchema,
  errors: readonly SchemaError[],
): ErrorDetail[] {
  const complete = errors.slice(
    0,
    errors.findLastIndex(({ schemaPath }) => !schemaPath.includes('/anyOf/')) + 1,
  );
  const details = chooseAlternatives(complete.length > 0 ? complete : errors).flatMap((error) =>
    describe(`/${part}`, schema, error),
  );
  const unique = new Map(details.map((detail) => [`${detail.path} ${detail.message}`, detail]));
  return [...unique.values()].slice(0, MAX_DETAILS);
}

/** Replaces the errors of all alternatives by those of the nearest one. */
function chooseAlternatives(errors: readonly SchemaError[]): readonly SchemaError[] {
  const known = errors.filter(({ keyword }) => keyword !== 'boolean');
  const [outer] = known
    .filter(({ keyword }) => keyword === 'anyOf')
    .toSorted((a, b) => a.schemaPath.length - b.schemaPath.length);
  if (outer === undefined) {
    const hasEnum = (path: string) =>
      known.some(({ keyword, instancePath }) => keyword === 'enum' && instancePath === path);
    // The list of values says more than their type.
    return known.filter(({ keyword, instancePath }) => keyword !== 'type' || !hasEnum(instancePath));
  }
  const prefix = `${outer.schemaPath}/anyOf/`;
  const isInside = ({ schemaPath, instancePath }: SchemaError) =>
    schemaPath.startsWith(prefix) && instancePath.startsWith(outer.instancePath);
  const alternatives = Map.groupBy(known.filter(isInside), ({ schemaPath }) =>
    schemaPath.slice(prefix.length).replace(/\/.*$/, ''),
  );
  const [nearest = []] = [...alternatives.values()].toSorted(
    (a, b) => distance(a, outer.instancePath) - distance(b, outer.instancePath),
  );
  const rest = known.filter((error) => error !== outer && !isInside(error));
  return [...chooseAlternatives(rest), ...chooseAlternatives(nearest)];
}

/** How far a value is from an alternative: furthest when it is null or of another type, then when its `type` differs. */
function distance(errors: readonly SchemaError[], at: string): number {
  const isOfOther = (path: string) =>
    errors.some(
      ({ keyword, instancePath }) => instancePath === path && ['type', 'const', 'enum'].includes(keyword),
    );
  const isNull = errors.some(({ params }) => (params as { type?: unknown }).type === 'null');
  if (isNull) return 3_000;
  if (isOfOther(at)) return 2_000;
  return (isOfOther(`${at}/type`) ? 1_000 : 0) + errors.length;
}

function describe(part: string, schema: TSchema, error: SchemaError): ErrorDetail[] {
  const params = error.params as Record<string, unknown>;
  const path = `${part}${error.instancePath}`;
  const each = (names: unknown, message: string) =>
    (names as readonly string[]).map((name) => ({ path: `${path}/${escapePointer(name)}`, message }));
  if (error.keyword === 'additionalProperties')
    return each(params['additionalProperties'], 'is not known here');
  if (error.keyword === 'required') return each(params['requiredProperties'], 'is missing');
  return [{ path, message: describeValue(error.keyword, params, findSchema(schema, error.schemaPath)) }];
}

function describeValue(
  keyword: string,
  params: Record<string, unknown>,
  schema: Record<string, unknown> | undefined,
): string {
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'enum':
      return `must be ${listValues(params['allowedValues'] as unknown[])}`;
    case 'const':
      return `must be ${String(params['allowedValue'])}`;
    case 'type':
    case 'minimum':
    case 'maximum':
      return `must be ${nameType(schema) ?? withArticle(String(params['type']))}`;
    case 'pattern':
      return ruleOf(schema) ?? 'contains a character that is not allowed here';
    case 'format':
      return params['format'] === 'uri'
        ? 'must be a URL, for example https://example.com/docs'
        : `must be ${withArticle(String(params['format']))}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minItems':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} items`;
    case 'maxItems':
    case 'maxProperties':
      return `must have at most ${limit} items`;
    default:
      return 'is not valid';
  }
}

/** An integer with its bounds; undefined for other types. */
function nameType(schema: Record<string, unknown> | undefined): string | undefined {
  if (schema?.['type'] !== 'integer') return undefined;
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
  return minimum === undefined || maximum === undefined
    ? 'an integer'
    : `an integer from ${minimum} to ${maximum}`;
}

function listValues(values: readonly unknown[]): string {
  const texts = values.map(String);
  return texts.length > 1 ? `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}` : (texts[0] ?? '');
}

function withArticle(noun: string): string {
  return noun === 'null' ? noun : `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** The part of a schema that an error is about; its path begins with `#`. */
function findSchema(schema: TSchema, schemaPath: string): Record<string, unknown> | undefined {
  return schemaPath
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (part, name) =>
        (part as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
      schema,
    ) as Record<string, unknown> | undefined;
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
