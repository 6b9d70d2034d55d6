import { Type } from 'typebox';

/** The description of a pull request. */
export const PullText = Type.Union([Type.String({ maxLength: 65_536 }), Type.Null()]);
