import type { ForgeContext } from '../forge-context.ts';
import type { ActiveApp, AnnotationRecord, CheckRunRecord, RepositoryRecord } from '../state/records.ts';
import { nodeId } from './account.ts';
import { presentApp } from './app.ts';
import { repositoryUrls } from './repository.ts';

/** GitHub's `check-run`. */
export function presentCheckRun(
  context: ForgeContext,
  app: ActiveApp,
  repository: RepositoryRecord,
  run: CheckRunRecord,
) {
  const { html, api } = repositoryUrls(context, repository);
  const url = `${api}/check-runs/${run.id}`;
  const page = `${html}/runs/${run.id}`;
  return {
    id: run.id,
    name: run.name,
    node_id: nodeId('CheckRun', run.id),
    head_sha: run.headSha,
    external_id: run.externalId,
    url,
    html_url: page,
    details_url: run.detailsUrl ?? page,
    status: run.status,
    conclusion: run.conclusion,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    output: {
      title: run.title,
      summary: run.summary,
      text: run.text,
      annotations_count: run.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: run.suiteId },
    app: presentApp(context, app),
    pull_requests: context.data.pulls
      .filter(
        (pull) =>
          pull.repositoryId === repository.id && pull.state === 'open' && pull.headSha === run.headSha,
      )
      // As on GitHub, only pull requests from the same repository are listed.
      .filter((pull) => pull.headRepositoryId === repository.id)
      .map((pull) => ({
        id: pull.id,
        number: pull.number,
        url: `${api}/pulls/${pull.number}`,
        head: { ref: pull.headRef, sha: pull.headSha, repo: brief(repository, api) },
        base: { ref: pull.baseRef, sha: pull.baseSha, repo: brief(repository, api) },
      })),
  };
}

const brief = (repository: RepositoryRecord, url: string) => ({
  id: repository.id,
  name: repository.name,
  url,
});

/** GitHub's `check-annotation`. */
export function presentAnnotation(
  context: ForgeContext,
  repository: RepositoryRecord,
  run: CheckRunRecord,
  annotation: AnnotationRecord,
) {
  const { html } = repositoryUrls(context, repository);
  return {
    ...annotation,
    blob_href: `${html}/blob/${run.headSha}/${annotation.path.split('/').map(encodeURIComponent).join('/')}`,
  };
}
