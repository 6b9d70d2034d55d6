import Type, { type Static } from 'typebox';

/** The body of every answer from 400 on. */
export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.Integer({ description: 'The HTTP status.' }),
      reason: Type.String({ description: 'What kind of error it is: a stable word, as `slug-taken`.' }),
      message: Type.String({ description: 'One sentence that names the field or the thing.' }),
      details: Type.Optional(
        Type.Array(
          Type.Object({
            path: Type.String({ description: 'A JSON pointer from the request, as `/body/title`.' }),
            message: Type.String(),
          }),
        ),
      ),
    }),
  },
  { $id: 'Error' },
);
export type ErrorBody = Static<typeof ErrorBody>;
