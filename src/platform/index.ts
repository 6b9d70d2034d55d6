/** The platform room: the documentation platform behind `/v1`. */
export { MAX_QUESTION } from '../contract/index.ts';
export { createPageOrigins, PAGE_ORIGIN_HEADER, type PageOrigins } from './access/page-origins.ts';
export { answerVerbatim, type Passage } from './answers/answer-question.ts';
export type { CitedSentence } from './answers/compose-answer.ts';
export { composeFrom } from './answers/compose-from.ts';
export { ApiError } from './api/api-error.ts';
export { httpOptions } from './api/http-options.ts';
export { writeEvents } from './api/write-events.ts';
export { type FoundAtPath, findAtPath } from './content/find-page-by-path.ts';
export { openSpaceFile, type SpaceFile } from './content/open-space-file.ts';
export { type PageWithTargets, readPageWithTargets } from './content/read-page-with-targets.ts';
export { dependsOnVisitor, outcomesOfText } from './content/visitor-text.ts';
export { isRecordable, recordMissedQuery, recordQuestion } from './conversations/record-question.ts';
export type { PlatformDeps, PlatformLog } from './deps.ts';
export { isModelOn } from './models/find-model.ts';
export type { ModelSettings } from './models/model-settings.ts';
export { type Model, openModel } from './models/open-model.ts';
export { mayHaveMail } from './notifications/may-have-mail.ts';
export { registerPlatform } from './register-platform.ts';
export { createDeriver } from './revisions/deriver.ts';
export { maySearchShowHidden } from './search/outdated-sections.ts';
export { searchContents } from './search/search-contents.ts';
export { recheckDomains } from './sign-in/recheck-domains.ts';
export { findLookProblems } from './site-look/find-look-problems.ts';
export { type RedirectDestination, redirectSourcesOf } from './site-redirects/resolve-redirect.ts';
export {
  type ArrangedGroup,
  type ArrangedSection,
  type ArrangedSiteSpace,
  type ArrangedStructure,
  arrangeStructure,
} from './sites/arrange-structure.ts';
export { type ConditionScope, hideConditional, isTrueFor, NOTHING_KNOWN } from './sites/conditions.ts';
export { composeLook, type SiteCustomization } from './sites/look.ts';
export { maySeeSite } from './sites/may-see-site.ts';
export { siteLocationOf } from './sites/present-site.ts';
export {
  addressBelow,
  isOwnAddress,
  organizationLabel,
  organizationOf,
  organizationRoot,
  type SiteLocation,
  type SiteServing,
  servedAddress,
  siteAddress,
  sitePreviewPath,
} from './sites/site-address.ts';
export { startPlatformJobs } from './start-platform-jobs.ts';
export {
  createToken,
  listTokens,
  type NewToken,
  OperatorRemoved,
  revokeToken,
  UnknownOrganization,
} from './tokens/index.ts';
export type { TranslationSettings } from './translations/providers/settings.ts';
export {
  type CorrectionAuthor,
  SEGMENT_STATES,
  type SegmentState,
  type TranslatedPage,
  type TranslatedSegment,
  type TranslationSegments,
} from './translations/segment-types.ts';
export { openTranslationSegments } from './translations/translation-segments.ts';
