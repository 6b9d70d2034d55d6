/**
 * The folder for what is cached between runs: `DOCLOOM_CACHE_DIR`, else the user's own cache folder, because a folder
 * that other users can write to is unsafe. Null in pipelines that name no folder: each of them starts anew and would only
 * pay for the writing.
 */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string | null {
  const { CI, DOCLOOM_CACHE_DIR, HOME, XDG_CACHE_HOME } = env;
  if (DOCLOOM_CACHE_DIR) return DOCLOOM_CACHE_DIR;
  const folder = XDG_CACHE_HOME || (HOME && `${HOME}/.cache`);
  return folder && !CI ? `${folder}/docloom` : null;
}
