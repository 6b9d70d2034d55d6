import Type, { type TSchema } from 'typebox';

/** The results per page if the caller sets no `limit`. */
export const defaultLimit = 50;
export const maximumLimit = 1000;

export const pagingFields = {
  page: Type.Optional(
    Type.String({
      minLength: 1,
      // A cursor contains the path of a file, compressed.
      maxLength: 8_192,
      description:
        'The `next.page` of the previous results of the same list, with the same filters. Stays valid while rows are added or removed.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maximumLimit, default: defaultLimit })),
};

export const Paging = Type.Object(pagingFields, { additionalProperties: false });

const listFields = {
  next: Type.Optional(
    Type.Object({ page: Type.String() }, { description: 'Absent on the last page of results.' }),
  ),
  count: Type.Integer({ minimum: 0, description: 'How many match in total, not only on this page.' }),
};

/** The envelope of every list. */
export function ListOf<Item extends TSchema>(item: Item) {
  return Type.Object({ ...listFields, items: Type.Array(item) });
}

/** The envelope of a list with further fields. */
export function ListWith<Item extends TSchema, Extra extends Record<string, TSchema>>(
  item: Item,
  extra: Extra,
) {
  return Type.Object({ ...listFields, items: Type.Array(item), ...extra });
}

/** The direction of a list; by default the newest or latest first. */
export const Order = Type.Enum(['asc', 'desc'], { type: 'string', default: 'desc' });
