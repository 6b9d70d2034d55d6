import { isObject } from '../pointer.ts';
import type { Located } from '../resolve-reference.ts';
import { type SchemaView, viewSchema } from '../schema-view.ts';
import type { ChangeList, Direction } from './change-list.ts';
import { matchAlternatives } from './match-alternatives.ts';
import { SCHEMA_RULES } from './schema-rules.ts';
import { needs } from './write-plain.ts';

export interface SchemaContext {
  readonly direction: Direction;
  /** What the schema describes, as a sentence names it: `the property name of the request body`. */
  readonly subject: string;
}

/** Schemas inside one another; what is deeper is in no client’s mind. */
const MAX_DEPTH = 60;

/** Compares what a schema promises or asks for with what it did. */
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
  if (was.identity && is.identity && !list.begin(was.identity, is.identity, context.direction)) return;
  // One schema against several, or several against one: the one is an alternative too.
  if (was.alternatives.length > 0 || is.alternatives.length > 0) {
    compareAlternatives({ was, is, old, next }, context, list);
    if (was.alternatives.length === 0 || is.alternatives.length === 0) return;
  }
  for (const rule of SCHEMA_RULES) {
    for (const finding of rule.find(was, is)) {
      const breaking = context.direction === 'request' ? finding.breaks.request : finding.breaks.response;
      const place = { side: 'new', pointer: is.pointer } as const;
      const { was: old, is: now } = finding;
      list.add(finding.kind, breaking, place, capitalise(`${context.subject} ${finding.says}`), {
        ...(old === undefined ? {} : { was: old }),
        ...(now === undefined ? {} : { is: now }),
      });
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
      const place = { side: 'old', pointer: old.pointer } as const;
      list.add('property-removed', true, place, capitalise(`${subject} is gone.`), { was: name });
      continue;
    }
    const place = { side: 'new', pointer: next.pointer } as const;
    const wasRequired = was.required.has(name);
    const isRequired = is.required.has(name);
    const nextView = viewSchema(next, list.newResolve);
    if (!wasRequired && isRequired) {
      // Who leaves it out gets the default.
      const breaks = direction === 'request' && nextView.fields['default'] === undefined;
      const now = direction === 'request' ? 'is required now' : 'is always there now';
      list.add('property-required', breaks, place, capitalise(`${subject} ${now}.`), needs(true));
    } else if (wasRequired && !isRequired) {
      const now = direction === 'request' ? 'may be left out now' : 'may be missing now';
      list.add(
        'property-optional',
        direction === 'response',
        place,
        capitalise(`${subject} ${now}.`),
        needs(false),
      );
    }
    compare(old, next, deeper(context, subject), list);
  }
  for (const [name, next] of newProperties) {
    if (oldProperties.has(name)) continue;
    const isRequired = is.required.has(name);
    const hasDefault = viewSchema(next, list.newResolve).fields['default'] !== undefined;
    const breaks = direction === 'request' && isRequired && !hasDefault;
    const how = direction === 'request' && isRequired ? 'a new required one' : 'new';
    const place = { side: 'new', pointer: next.pointer } as const;
    list.add(
      'property-added',
      breaks,
      place,
      capitalise(`the property ${name} of ${context.subject} is ${how}.`),
      { is: name },
    );
  }
}

/** What may only be read is not sent, and what may only be written is not answered. */
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
  for (const one of removed) {
    const { name, pointer } = viewSchema(one, list.oldResolve);
    const what = name === null ? 'one of its alternatives' : `the alternative ${name}`;
    const place = { side: 'old', pointer: one.pointer || pointer } as const;
    list.add('alternative-removed', isRequest, place, capitalise(`${context.subject} has lost ${what}.`), {
      was: name ?? 'an alternative',
    });
  }
  for (const one of added) {
    const { name, pointer } = viewSchema(one, list.newResolve);
    const what = name === null ? 'another alternative' : `the alternative ${name}`;
    const place = { side: 'new', pointer: one.pointer || pointer } as const;
    list.add(
      'alternative-added',
      !isRequest,
      place,
      capitalise(`${context.subject} may also be ${what} now.`),
      { is: name ?? 'an alternative' },
    );
  }
  for (const [one, other] of pairs) {
    if (one === old && other === next) continue;
    const { name } = viewSchema(other, list.newResolve);
    const subject = name === null ? context.subject : `${context.subject} (${name})`;
    compare(one, other, deeper(context, subject), list);
  }
}

function deeper(context: Context, subject: string): Context {
  return { direction: context.direction, subject, depth: context.depth + 1 };
}

function capitalise(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
