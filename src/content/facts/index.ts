/** The readings of files. The parser of pages is loaded once there is a page to read. */

export { type ConfigLink, createConfigReading } from './config-reading.ts';
export { createReading } from './create-reading.ts';
export {
  contentsReading,
  factsKey,
  markdownReading,
  readingKey,
  readingOfMarkdown,
} from './markdown-reading.ts';
export { mayOverflow } from './may-overflow.ts';
export { mayTakeLong } from './may-take-long.ts';
export { muteMath } from './mute-math.ts';
