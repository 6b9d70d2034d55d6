import Type, { type TSchema } from 'typebox';

/** How many results a list answers when the caller does not say. */
export const defaultLimit = 50;
export const maximumLimit = 1000;

export const pagingFields = {
  page: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'The `next.page` of the results before. Stays right while rows are added or removed.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maximumLimit, default: defaultLimit })),
};

export const Paging = Type.Object(pagingFields, { additionalProperties: false });

const listFields = {
  next: Type.Optional(
    Type.Object({ page: Type.String() }, { description: 'Absent on the last page of results.' }),
  ),
  count: Type.Integer({ minimum: 0, description: 'How many match in all, not only on this page.' }),
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

/** The direction of a list; the newest or latest first when left out. */
export const Order = Type.Enum(['asc', 'desc'], { type: 'string', default: 'desc' });
