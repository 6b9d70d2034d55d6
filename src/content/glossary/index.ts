/** The glossary of a repository's translations: a file of terms, as YAML or CSV. */
export { entriesFor, type Glossary, type GlossaryProblem, type TermTranslation } from './glossary.ts';
export { type ParsedGlossary, parseGlossary } from './parse-glossary.ts';
