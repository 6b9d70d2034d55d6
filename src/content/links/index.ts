export { type JudgeContext, judgeLink } from './check-link.ts';
export { anchorNames, hasAnchor } from './has-anchor.ts';
export { type OutsideAddress, readAddress } from './outside-address.ts';
export { type ParsedTarget, parseTarget } from './parse-target.ts';
export { findRenamedHeading } from './renamed-heading.ts';
export { resolveParsed, resolvePaths } from './resolve-parsed.ts';
export { schemeOf } from './schemes.ts';
export { SuggestionBudget } from './similar-anchor.ts';
export { writeTarget } from './write-target.ts';
