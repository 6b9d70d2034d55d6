import type { FieldView } from '../content/render/index.ts';
import { describeConstraints } from './describe-constraints.ts';
import { describeType } from './describe-type.ts';
import { isObject } from './pointer.ts';
import { type Located, nameOfReference, type Resolve } from './resolve-reference.ts';
import { type SchemaView, viewSchema } from './schema-view.ts';
import { MAX_CELL_LENGTH, shortenText } from './shorten-text.ts';

/** Rows of one table; a longer one is of no use to readers. */
export const MAX_FIELDS = 150;

/** Levels of nested objects that are listed. */
const MAX_DEPTH = 6;

/** Of one value. */
const MAX_ALTERNATIVES = 20;

/** A request has no properties that are only read, and a response none that are only written. */
export type BodyDirection = 'request' | 'response';

interface FieldNode {
  field: FieldView;
  readonly schema: Located;
  /** The schemas that contain this one. */
  readonly above: readonly (object | undefined)[];
  readonly inner: FieldNode[];
}

/** A property or parameter by itself. */
export function describeField(name: string, node: Located, depth: number, resolve: Resolve): FieldView {
  const view = viewSchema(node, resolve);
  return {
    name,
    depth,
    type: describeType(view, resolve),
    isRequired: false,
    isDeprecated: view.isDeprecated,
    description: shortenText(view.description, MAX_CELL_LENGTH),
    notes: describeConstraints(view),
  };
}

/**
 * The properties of a schema and of the objects in it, and the forms that a value may have. Where there are too many, the
 * outer ones are there.
 */
export function describeFields(
  schema: Located,
  direction: BodyDirection,
  resolve: Resolve,
): { readonly fields: readonly FieldView[]; readonly isCut: boolean } {
  const top: FieldNode[] = [];
  let waiting: {
    readonly schema: Located;
    readonly above: FieldNode['above'];
    readonly list: FieldNode[];
  }[] = [{ schema, above: [], list: top }];
  let left = MAX_FIELDS;
  let isCut = false;
  for (let depth = 0; waiting.length > 0; depth++) {
    const next: typeof waiting = [];
    for (const { schema: outer, above, list } of waiting) {
      const view = schemaToList(viewSchema(outer, resolve), resolve);
      if (view.identity !== undefined && above.includes(view.identity)) continue;
      const nodes = nodesIn(view, { depth, direction, resolve, above: [...above, view.identity] });
      if (nodes.length === 0) continue;
      if (depth >= MAX_DEPTH || nodes.length > left) isCut = true;
      if (depth >= MAX_DEPTH) continue;
      list.push(...nodes.slice(0, left));
      left -= list.length;
      next.push(...list.map((node) => ({ schema: node.schema, above: node.above, list: node.inner })));
    }
    waiting = next;
  }
  return { fields: flatten(top), isCut };
}

function flatten(nodes: readonly FieldNode[]): FieldView[] {
  return nodes.flatMap(({ field, inner }) => [field, ...flatten(inner)]);
}

interface Around {
  readonly depth: number;
  readonly direction: BodyDirection;
  readonly resolve: Resolve;
  readonly above: FieldNode['above'];
}

function nodesIn(view: SchemaView, around: Around): FieldNode[] {
  return [...propertiesIn(view, around), ...alternativesIn(view, around)];
}

function propertiesIn(view: SchemaView, { depth, direction, resolve, above }: Around): FieldNode[] {
  const nodes: FieldNode[] = [];
  for (const [name, schema] of view.properties) {
    // One more than is shown, so that it is known that some are left out.
    if (nodes.length > MAX_FIELDS) break;
    const inner = viewSchema(schema, resolve);
    if (direction === 'request' ? inner.isReadOnly : inner.isWriteOnly) continue;
    const field = describeField(name, schema, depth, resolve);
    const repeated = schemaToList(inner, resolve).identity;
    const isAgain = repeated !== undefined && above.includes(repeated);
    nodes.push({
      field: {
        ...field,
        isRequired: view.required.has(name),
        notes: [
          ...field.notes,
          ...(name === discriminatorOf(view)?.name ? ['says which form it is'] : []),
          ...(isAgain ? ['with the same properties again'] : []),
        ],
      },
      schema,
      above,
      inner: [],
    });
  }
  return nodes;
}

/** Where none of them has properties, the type says all about them. */
function alternativesIn(view: SchemaView, { depth, resolve, above }: Around): FieldNode[] {
  const shown = view.alternatives.slice(0, MAX_ALTERNATIVES);
  const views = shown.map((schema) => viewSchema(schema, resolve));
  if (shown.length < 2 || !views.some((one) => hasInner(one, resolve))) return [];
  const discriminator = discriminatorOf(view);
  return shown.map((schema, at) => {
    const one = views[at] as SchemaView;
    const type = describeType(one, resolve);
    const field = describeField(titleOf(one) ?? type, schema, depth, resolve);
    const value = one.name === null ? null : discriminator?.valueFor(one.name);
    return {
      field: {
        ...field,
        role: 'alternative',
        notes: [
          ...field.notes,
          ...(discriminator === null || value == null ? [] : [`${discriminator.name} is ${value}`]),
          ...(above.includes(one.identity) ? ['with the same properties again'] : []),
        ],
      },
      schema,
      above,
      inner: [],
    };
  });
}

function titleOf({ name, fields }: SchemaView): string | null {
  const { title } = fields;
  return name ?? (typeof title === 'string' && title !== '' ? shortenText(title, 100) : null);
}

function hasInner(view: SchemaView, resolve: Resolve): boolean {
  return schemaToList(view, resolve).properties.size > 0;
}

/** The property whose value says which alternative a value is, and what that value is for each name. */
function discriminatorOf({ fields }: SchemaView) {
  const { discriminator } = fields;
  // In Swagger 2.0 it is a name alone.
  const name = isObject(discriminator) ? discriminator['propertyName'] : discriminator;
  if (typeof name !== 'string') return null;
  const mapping =
    isObject(discriminator) && isObject(discriminator['mapping']) ? discriminator['mapping'] : {};
  return {
    name: shortenText(name, 100),
    valueFor: (schemaName: string): string => {
      const entry = Object.entries(mapping).find(
        ([, target]) =>
          typeof target === 'string' && (target === schemaName || nameOfReference(target) === schemaName),
      );
      return shortenText(entry?.[0] ?? schemaName, 100);
    },
  };
}

/** The object whose properties are listed: the items of a list, or the only alternative. */
function schemaToList(view: SchemaView, resolve: Resolve): SchemaView {
  let at = view;
  for (let hops = 0; hops < 5 && at.properties.size === 0; hops++) {
    const [single] = at.alternatives.length === 1 ? at.alternatives : [];
    const inner = at.items ?? single ?? (typeof at.additional === 'boolean' ? null : at.additional);
    if (!inner) break;
    at = viewSchema(inner, resolve);
  }
  return at;
}
