/** What the platform knows the site of a repository by: the repository’s id, since names change. */
export function siteSourceOf(repositoryId: number): string {
  return `github-${repositoryId}`;
}

/** What it knows the preview of a pull request by. */
export function previewSourceOf(repositoryId: number, pullNumber: number): string {
  return `${siteSourceOf(repositoryId)}-pull-${pullNumber}`;
}
