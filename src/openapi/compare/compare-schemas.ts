import { isObject } from '../pointer.ts';
import type { Located } from '../resolve-reference.ts';
import { type SchemaView, viewSchema } from '../schema-view.ts';
import type { ChangeList, Direction } from './change-list.ts';
import { requiredValues } from './format-values.ts';
import { matchAlternatives } from './match-alternatives.ts';
import { SCHEMA_RULES } from './schema-rules.ts';

export interface SchemaContext {
  readonly direction: Direction;
  /** What the schema describes, as messages name it: `the property name of the request body`. */
  readonly subject: string;
}

/** Levels of nested schemas that are compared; no client depends on deeper ones. */
const MAX_DEPTH = 60;

/** Compares what a schema promises or requires with its old version. */
export function compareSchemas(old: Located, next: Located, context: SchemaContext, list: ChangeList): void {
  compare(old, next, { ...context, depth: 0 }, list);
}

interface Context extends SchemaContext {
  readonly depth: number;
}

function compare(old: Located, next: Located, context: Context, list: ChangeList): void {
  const was = viewSchema(old, list.oldResolve);
  const is = viewSchema(next, list.newResolve);
  if (context.depth > MAX_DEPTH) return;
  if (was.identity && is.identity && !list.startComparing(was.identity, is.identity, context.direction))
    return;
  // When only one side has alternatives, the other schema counts as a single alternative.
  if (was.alternatives.length > 0 || is.alternatives.length > 0) {
    compareAlternatives({ was, is, old, next }, context, list);
    if (was.alternatives.length === 0 || is.alternatives.length === 0) return;
  }
  for (const rule of SCHEMA_RULES) {
    for (const difference of rule.find(was, is)) {
      const breaking =
        context.direction === 'request' ? difference.breaks.request : difference.breaks.response;
      const location = { side: 'new', pointer: is.pointer } as const;
      const { was: old, is: now } = difference;
      list.add(
        difference.kind,
        breaking,
        location,
        capitalise(`${context.subject} ${difference.predicate}`),
        {
          ...(old === undefined ? {} : { was: old }),
          ...(now === undefined ? {} : { is: now }),
        },
      );
    }
  }
  compareProperties(was, is, context, list);
  if (was.items && is.items) {
    compare(was.items, is.items, deeper(context, `an item of ${context.subject}`), list);
  }
  if (isObject(locatedOf(was.additional)?.value) && isObject(locatedOf(is.additional)?.value)) {
    const subject = `any other property of ${context.subject}`;
    compare(was.additional as Located, is.additional as Located, deeper(context, subject), list);
  }
}

function locatedOf(additional: Located | boolean): Located | undefined {
  return typeof additional === 'boolean' ? undefined : additional;
}

function compareProperties(was: SchemaView, is: SchemaView, context: Context, list: ChangeList): void {
  const { direction } = context;
  const oldProperties = visibleIn(was, direction, list.oldResolve);
  const newProperties = visibleIn(is, direction, list.newResolve);
  for (const [name, old] of oldProperties) {
    const next = newProperties.get(name);
    const subject = `the property ${name} of ${context.subject}`;
    if (!next) {
      const location = { side: 'old', pointer: old.pointer } as const;
      list.add('property-removed', true, location, capitalise(`${subject} was removed.`), { was: name });
      continue;
    }
    const location = { side: 'new', pointer: next.pointer } as const;
    const wasRequired = was.required.has(name);
    const isRequired = is.required.has(name);
    const nextView = viewSchema(next, list.newResolve);
    if (!wasRequired && isRequired) {
      // A client that leaves it out gets the default.
      const breaks = direction === 'request' && nextView.fields['default'] === undefined;
      const now = direction === 'request' ? 'is now required' : 'is now always present';
      list.add('property-required', breaks, location, capitalise(`${subject} ${now}.`), requiredValues(true));
    } else if (wasRequired && !isRequired) {
      const now = direction === 'request' ? 'may now be left out' : 'may now be missing';
      list.add(
        'property-optional',
        direction === 'response',
        location,
        capitalise(`${subject} ${now}.`),
        requiredValues(false),
      );
    }
    compare(old, next, deeper(context, subject), list);
  }
  for (const [name, next] of newProperties) {
    if (oldProperties.has(name)) continue;
    const isRequired = is.required.has(name);
    const hasDefault = viewSchema(next, list.newResolve).fields['default'] !== undefined;
    const breaks = direction === 'request' && isRequired && !hasDefault;
    const how = direction === 'request' && isRequired ? 'new and required' : 'new';
    const location = { side: 'new', pointer: next.pointer } as const;
    list.add(
      'property-added',
      breaks,
      location,
      capitalise(`the property ${name} of ${context.subject} is ${how}.`),
      { is: name },
    );
  }
}

/** Read-only properties are not sent in requests, and write-only ones are not returned in responses. */
function visibleIn(
  view: SchemaView,
  direction: Direction,
  resolve: ChangeList['oldResolve'],
): ReadonlyMap<string, Located> {
  return new Map(
    [...view.properties].filter(([, node]) => {
      const { value } = resolve(node);
      if (!isObject(value)) return value !== false;
      return value[direction === 'request' ? 'readOnly' : 'writeOnly'] !== true;
    }),
  );
}

function compareAlternatives(
  sides: { readonly was: SchemaView; readonly is: SchemaView; readonly old: Located; readonly next: Located },
  context: Context,
  list: ChangeList,
): void {
  const { was, is, old, next } = sides;
  const before = was.alternatives.length > 0 ? was.alternatives : [old];
  const after = is.alternatives.length > 0 ? is.alternatives : [next];
  const { pairs, removed, added } = matchAlternatives(before, after, list);
  const isRequest = context.direction === 'request';
  for (const alternative of removed) {
    const { name, pointer } = viewSchema(alternative, list.oldResolve);
    const what = name === null ? 'one of its alternatives' : `the alternative ${name}`;
    const location = { side: 'old', pointer: alternative.pointer || pointer } as const;
    list.add(
      'alternative-removed',
      isRequest,
      location,
      capitalise(`${context.subject} no longer has ${what}.`),
      {
        was: name ?? 'an alternative',
      },
    );
  }
  for (const alternative of added) {
    const { name, pointer } = viewSchema(alternative, list.newResolve);
    const what = name === null ? 'another alternative' : `the alternative ${name}`;
    const location = { side: 'new', pointer: alternative.pointer || pointer } as const;
    list.add(
      'alternative-added',
      !isRequest,
      location,
      capitalise(`${context.subject} may now also be ${what}.`),
      { is: name ?? 'an alternative' },
    );
  }
  for (const [oldAlternative, newAlternative] of pairs) {
    if (oldAlternative === old && newAlternative === next) continue;
    const { name } = viewSchema(newAlternative, list.newResolve);
    const subject = name === null ? context.subject : `${context.subject} (${name})`;
    compare(oldAlternative, newAlternative, deeper(context, subject), list);
  }
}

function deeper(context: Context, subject: string): Context {
  return { direction: context.direction, subject, depth: context.depth + 1 };
}

function capitalise(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
