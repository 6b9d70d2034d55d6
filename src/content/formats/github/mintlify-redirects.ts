/** Redirects beyond this number are ignored. */
const MAX_REDIRECTS = 5_000;

/** The sources of `redirects` in the settings of Mintlify (https://mintlify.com/docs/create/redirects). */
export function mintlifyRedirects(settings: string): readonly string[] {
  const sources = settings.matchAll(/"source"\s{0,9}:\s{0,9}"(\/[^"\s]{1,300})"/g);
  return [...sources.take(MAX_REDIRECTS)].map(([, source = '']) => source);
}
