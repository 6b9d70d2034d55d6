/** What checks the App's requests is itself tried: it must take what GitHub takes, and find what it would refuse. */
import { expect, it } from 'vitest';
import { requestProblems } from './request-problems.ts';

const RUN = '/repos/acme/docs/check-runs/7';
const output = { title: 'Links', summary: 'Two are broken.' };
const annotation = {
  path: 'a.md',
  start_line: 1,
  end_line: 1,
  annotation_level: 'failure',
  message: 'Gone.',
};
const action = { label: 'Fix links', description: 'Commits what is certain', identifier: 'fix' };

it.each<readonly [string, string, unknown, readonly (string | RegExp)[]]>([
  ['GET', '/repos/acme/docs', undefined, []],
  ['GET', '/repos/acme/docs/contents/a%20b/c.md?ref=main', undefined, []],
  ['GET', '/repos/acme/docs/nothing', undefined, [/GitHub has no GET/]],
  ['PUT', '/repos/acme/docs', undefined, [/GitHub has no PUT/]],
  ['GET', '/repos/acme/docs/pulls/seven', undefined, [/pull_number in the path: .*integer/]],
  ['GET', '/repos/acme/docs/pulls?per_page=many', undefined, [/per_page in the query: .*integer/]],
  ['GET', '/repos/acme/docs/pulls?perpage=10', undefined, [/no parameter perpage in the query/]],
  ['POST', '/repos/acme/docs/statuses/abc', { state: 'success' }, []],
  ['POST', '/repos/acme/docs/statuses/abc', { state: 'fine' }, [/body\/state must be equal to one of/]],
  ['POST', '/repos/acme/docs/statuses/abc', undefined, [/the body is missing/]],
  ['POST', '/repos/acme/docs/statuses/abc', { state: 'error', descripton: 'x' }, [/descripton is unknown/]],
  ['POST', '/repos/acme/docs/statuses/abc', { state: 'error', description: 'x'.repeat(141) }, [/140/]],
  ['PATCH', RUN, { status: 'completed', conclusion: 'success', output, actions: [action] }, []],
  ['PATCH', RUN, { output: { title: 'No summary' } }, [/must have required property 'summary'/]],
  ['PATCH', RUN, { output: { ...output, summary: 'x'.repeat(65_536) } }, [/65535/]],
  ['PATCH', RUN, { output: { ...output, annotations: Array(50).fill(annotation) } }, []],
  ['PATCH', RUN, { output: { ...output, annotations: Array(51).fill(annotation) } }, [/50 items/]],
  [
    'PATCH',
    RUN,
    { output: { ...output, annotations: [{ ...annotation, end_line: 2, start_column: 1 }] } },
    [/columns/],
  ],
  ['PATCH', RUN, { actions: Array(4).fill(action) }, [/3 items/]],
  ['PATCH', RUN, { actions: [{ ...action, label: 'Fix all of these links' }] }, [/label.*20/]],
  ['PATCH', RUN, { actions: [{ ...action, description: 'x'.repeat(41) }] }, [/description.*40/]],
  [
    'POST',
    '/app/installations/3/access_tokens',
    { repository_ids: [1], permissions: { contents: 'read' } },
    [],
  ],
  [
    'POST',
    '/app/installations/3/access_tokens',
    { permissions: { contents: 'admin' } },
    [/contents must be equal/],
  ],
])('%s %s %j', (method, address, body, expected) => {
  const { pathname, searchParams } = new URL(address, 'http://forge');
  const problems = requestProblems({ method, path: pathname, query: searchParams, body });
  expect(problems).toEqual(expected.map((candidate) => expect.stringMatching(candidate)));
});
