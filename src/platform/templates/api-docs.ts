import type { Template } from './template.ts';

export const apiDocs: Template = {
  id: 'api-docs',
  summary: 'Documentation of an API: authentication, errors, paging, its resources.',
  files: {
    'README.md': `# API

![Logo]({{file:logo}})

What this API can do, and the base URL of all paths.

- [Quick start](quick-start.md): the first call.
- [Authentication](basics/authentication.md), [errors](basics/errors.md) and [paging](basics/paging.md): what applies to all operations.
- [Resources](resources/README.md): each operation with its fields.

The whole description for machines: [download]({{file:specification}}).
`,
    'quick-start.md': `# Quick start

Get a token as [authentication](basics/authentication.md) says, then send the first request:

\`\`\`sh
curl -H "Authorization: Bearer $TOKEN" https://api.example.com/v1/things
\`\`\`

The response:

\`\`\`json
{ "count": 0, "items": [] }
\`\`\`
`,
    'basics/authentication.md': `# Authentication

How to get a token, how to send it, and how to revoke it.

A request without a token, or with an unknown one, is answered with 401; see [errors](errors.md).
`,
    'basics/errors.md': `# Errors

| Status | Meaning | What to do |
| --- | --- | --- |
| 400 | The request is not valid | Correct the field that the message names |
| 401 | No token, or an unknown one | See [authentication](authentication.md) |
| 404 | It does not exist, or you may not see it | Check the id |
| 429 | Too many requests | Wait as long as \`Retry-After\` says |
`,
    'basics/paging.md': `# Paging

How many results a list returns, how to request the following ones, and how to recognize the last page.
`,
    'resources/README.md': `# Resources

One page for each resource. Start with [the first](thing.md).
`,
    'resources/thing.md': `# Thing

## Fields

| Field | Type | Meaning |
| --- | --- | --- |
| \`id\` | string | Assigned by the server |

## List

\`GET /things\`, in [pages](../basics/paging.md).

## Create

\`POST /things\`: the required fields, and the response.
`,
  },
};
