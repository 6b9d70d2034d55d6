/**
 * Where what is kept between runs lies: `DOCLOOM_CACHE_DIR`, else the user's own cache folder, since what others can
 * write to is no place for it. Null in pipelines, which begin anew each time and would only pay for the writing, unless
 * they name a folder to keep.
 */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string | null {
  const { CI, DOCLOOM_CACHE_DIR, HOME, XDG_CACHE_HOME } = env;
  if (DOCLOOM_CACHE_DIR) return DOCLOOM_CACHE_DIR;
  const folder = XDG_CACHE_HOME || (HOME && `${HOME}/.cache`);
  return folder && !CI ? `${folder}/docloom` : null;
}
