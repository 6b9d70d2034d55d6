/**
 * Attributes of media elements that name a file, besides those of pictures
 * (https://html.spec.whatwg.org/multipage/media.html).
 */
export const MEDIA_ATTRIBUTES: ReadonlyMap<string, readonly string[]> = new Map([
  ['video', ['src', 'poster']],
  ['audio', ['src']],
  ['source', ['src']],
  ['track', ['src']],
  ['embed', ['src']],
]);
