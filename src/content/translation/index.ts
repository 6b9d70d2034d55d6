/** Translating pages: finds the texts of a page, protects what must not change, and writes answers in their place. Pure. */

export { decodeSegment } from './decode-segment.ts';
export { type Filled, fillSegment } from './fill-segment.ts';
export { type Correction, type Corrections, findCorrections } from './find-corrections.ts';
export { findSegments, type SegmentsFound } from './find-segments.ts';
export { idNotations } from './heading-ids.ts';
export { pseudoLocale } from './pseudo-locale.ts';
export type { Segment } from './segment.ts';
export { selectStructurePreserving, writePage } from './write-page.ts';
