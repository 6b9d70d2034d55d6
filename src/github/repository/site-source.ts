/** What the platform knows the site of a repository by: the repository’s id, since names change. */
export function siteSourceOf(repositoryId: number): string {
  return `github-${repositoryId}`;
}
