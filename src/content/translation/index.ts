/** Translating pages: finds the texts of a page, protects what must not change, and writes answers in their place. Pure. */

export { decodeSegment } from './decode-segment.ts';
export { type Filled, fillSegment } from './fill-segment.ts';
export { type Correction, type Corrections, findCorrections, neighboursOf } from './find-corrections.ts';
export { findOutdated, type TextInPlace } from './find-outdated.ts';
export { findSegments, type SegmentsFound } from './find-segments.ts';
export { idNotations } from './heading-ids.ts';
export { pseudoLocale } from './pseudo-locale.ts';
export { readCorrection } from './read-correction.ts';
export { plainText, type Segment } from './segment.ts';
export { selectStructurePreserving, writePage } from './write-page.ts';
