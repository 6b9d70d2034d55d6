import Type from 'typebox';
import { DocumentInput } from '../content/document-input.ts';
import { SpaceLanguage } from '../language.ts';
import { defineOperation } from '../operation.ts';
import { ListOf, Paging } from '../paging.ts';
import { Id } from '../scalars.ts';
import { Translation, TranslationGlossaryInput, TranslationProvider } from './translation.ts';

const Instructions = DocumentInput('Instructions for the translator: a Document.');

const tag = 'Translations';
const translations = '/orgs/:organizationId/translations';
const translation = '/orgs/:organizationId/translations/:translationId';

export const translationOperations = {
  listTranslations: defineOperation({
    id: 'listTranslationsInOrganization',
    method: 'GET',
    path: translations,
    tag,
    summary: 'List the translations of the spaces of an organization that the caller may see.',
    query: Paging,
    responses: { 200: ListOf(Translation) },
  }),

  createTranslation: defineOperation({
    id: 'createTranslation',
    method: 'POST',
    path: translations,
    tag,
    summary: 'Set up the translation of a space; it is translated when a run is triggered.',
    description:
      'The first run creates a space for the result. Each run translates only texts that are new or changed, and preserves what people edited in the result.',
    body: Type.Object(
      {
        source: Type.Object(
          { space: Id, language: Type.Optional(SpaceLanguage) },
          { additionalProperties: false },
        ),
        language: SpaceLanguage,
        instructions: Type.Optional(Instructions),
        provider: Type.Optional(TranslationProvider),
        glossary: Type.Optional(TranslationGlossaryInput),
      },
      { additionalProperties: false },
    ),
    responses: { 201: Translation },
    errors: ['role-too-low'],
  }),

  getTranslation: defineOperation({
    id: 'getTranslationById',
    method: 'GET',
    path: translation,
    tag,
    summary: 'Read a translation: the outcome of its latest run, and its result.',
    responses: { 200: Translation },
  }),

  updateTranslation: defineOperation({
    id: 'updateTranslationById',
    method: 'PUT',
    path: translation,
    tag,
    summary:
      'Change the instructions, provider or glossary; the next run translates the affected texts again.',
    body: Type.Object(
      {
        instructions: Type.Optional(Instructions),
        provider: Type.Optional(TranslationProvider),
        glossary: Type.Optional(TranslationGlossaryInput),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
    responses: { 200: Translation },
    errors: ['role-too-low'],
  }),

  deleteTranslation: defineOperation({
    id: 'deleteTranslationById',
    method: 'DELETE',
    path: translation,
    tag,
    summary: 'Delete a translation with its translation memory; the space with its result stays.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
  }),

  runTranslation: defineOperation({
    id: 'runTranslation',
    method: 'POST',
    path: `${translation}/run`,
    tag,
    summary: 'Trigger a run; if one is running already, another starts after it.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
  }),
} as const;
