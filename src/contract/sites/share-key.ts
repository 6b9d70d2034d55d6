import Type from 'typebox';

/** The query field of operations that a share link of the site admits to. */
export const shareKeyField = {
  shareKey: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'The key of a share link: it admits to what the published site shows, and to nothing else.',
    }),
  ),
};
