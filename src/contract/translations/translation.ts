import Type, { type Static, type TString } from 'typebox';
import { Document } from '../content/document.ts';
import { languages, SpaceLanguage } from '../language.ts';
import { GivenName, Id, Moment, Url } from '../scalars.ts';

export const translationProviders = ['pseudo', 'openai', 'deepl', 'libretranslate'] as const;
export const TranslationProvider = Type.Enum([...translationProviders], {
  type: 'string',
  description:
    'The translation service. `pseudo` needs none: it only marks the text, to try out layout and links. An extension.',
});

/** How terms are translated, as it is stored: older versions took terms that are blank or there twice. */
export const TranslationGlossary = GlossaryOf(Type.String({ minLength: 1, maxLength: 200 }));

/** A glossary as callers may write it. No two terms may differ in case only: texts are searched regardless of it. */
export const TranslationGlossaryInput = GlossaryOf(GivenName({ maxLength: 200 }));

function GlossaryOf(text: TString) {
  return Type.Array(
    Type.Object(
      {
        term: text,
        translation: { ...text, description: 'Equal to `term` for a term that is not translated.' },
      },
      { additionalProperties: false },
    ),
    { maxItems: 1_000, description: 'How terms are translated. An extension.' },
  );
}

/** The translation of a space into another language. */
export const Translation = Type.Object(
  {
    object: Type.Literal('translation'),
    id: Id,
    status: Type.Enum(['pending', 'running', 'completed', 'failed'], {
      type: 'string',
      description: 'Of the latest run; `pending` before the first.',
    }),
    error: Type.Optional(Type.String({ description: 'Why the latest run failed.' })),
    source: Type.Object({
      space: Id,
      language: Type.Enum([...languages], {
        type: 'string',
        description: '`en` if neither the request nor the space named it; the provider then recognizes it.',
      }),
    }),
    language: SpaceLanguage,
    provider: TranslationProvider,
    instructions: Document,
    glossary: TranslationGlossary,
    result: Type.Optional(
      Type.Object(
        {
          space: Id,
          revision: Id,
          sourceRevision: Type.Optional(
            Type.String({ description: 'The revision of the source that it translates. An extension.' }),
          ),
        },
        { description: 'Absent until a run has completed.' },
      ),
    ),
    createdAt: Moment,
    updatedAt: Moment,
    stats: Type.Object({
      runs: Type.Integer(),
      totalWords: Type.Integer({ description: 'Words that a provider returned, or that `pseudo` marked.' }),
      totalPages: Type.Integer(),
      totalDuration: Type.Integer({ description: 'In milliseconds, as `latestRunDuration`.' }),
      latestRunDuration: Type.Integer(),
      latestPages: Type.Integer({ description: 'Pages that the latest run rewrote.' }),
      latestWords: Type.Integer(),
      totalRequests: Type.Integer({
        description: 'Requests to the provider. An extension, like the next field.',
      }),
      latestRequests: Type.Integer(),
      untranslated: Type.Integer({
        description:
          'Texts that stayed in the language of the source, for the reasons in `problems`. An extension.',
      }),
    }),
    problems: Type.Array(Type.Object({ path: Type.String(), line: Type.Integer(), message: Type.String() }), {
      description: 'Why texts stayed in the language of the source; the first 100. An extension.',
    }),
    permissions: Type.Object({ view: Type.Boolean(), edit: Type.Boolean() }),
    urls: Type.Object({ location: Url }),
  },
  { $id: 'Translation' },
);
export type Translation = Static<typeof Translation>;
