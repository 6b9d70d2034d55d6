import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/client/index.ts';
import type { SiteRow } from '../../src/store/index.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { waitFor } from '../support/wait-for.ts';
import { startSites, type TestSites } from './start-sites.ts';

let sites: TestSites;
let site: SiteRow;
let spaceId: string;

const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [
    { url: 'https://api.example/v1' },
    { url: 'http://platform.test' },
    { url: 'http://plain.example' },
  ],
  paths: { '/pets': { get: { responses: { '200': { description: 'All' } } } } },
  webhooks: { sold: { post: { summary: 'A pet was sold', responses: {} } } },
});

const SUMMARY = `# Table of contents

* [Home](README.md)
* [Pets](pets.md)
* \`\`\`yaml
  type: builtin:openapi
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: pets
  \`\`\`
`;

beforeAll(async () => {
  sites = await startSites();
  const { platform } = sites;
  const path = `/orgs/${platform.organizationId}/openapi/pets`;
  await platform.api('PUT', path, { body: { source: { text: document } } });
  await waitFor(async () => (await platform.api('GET', path)).body.processingState === 'complete');
  await platform.api('PATCH', path, { body: { visibility: 'public' } });
  spaceId = await platform.createSpace('Guide');
  const { repo, url } = await platform.createRepo('guide');
  await repo.commit({
    'SUMMARY.md': SUMMARY,
    'README.md': '# Home\n',
    'pets.md':
      '# Pets\n\n{% openapi-operation spec="pets" path="/pets" method="get" %}\nold\n{% endopenapi-operation %}\n',
  });
  await platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
  site = await sites.createSite('docs');
  await sites.addSpace(site, spaceId);
});
afterAll(() => sites.close());

async function read(path: string) {
  const { body, headers, statusCode } = await sites.get(`/s/acme/docs${path}`);
  expect(statusCode).toBe(200);
  const policy = String(headers['content-security-policy']);
  const loaded = [...body.matchAll(/~\/assets\/([\w-]+)\.[\w-]+\.(css|js)"/g)].map(
    ([, name, kind]) => `${name}.${kind}`,
  );
  return { body, loaded, connections: /connect-src ([^;]*)/.exec(policy)?.[1] };
}

const params = () => ({ organizationId: sites.platform.organizationId, siteId: site.id });

async function choose(enabled: boolean | null) {
  await sites.platform.client.call(operations.updateSiteCustomization, {
    params: params(),
    body: { tryIt: { enabled } },
  });
}

describe('a page that shows operations', () => {
  testAtLength('may send requests to their servers, and to nothing else', async () => {
    const { body, connections, loaded } = await read('/pets');
    expect(connections).toMatch(/^'self' https:\/\/api\.example(?: http:\/\/platform\.test)?$/);
    expect(connections).not.toContain('plain.example');
    expect(body).toContain('data-request-origins="https://api.example"');
    expect(body).toContain('data-call="');
    expect(loaded).toContain('operation.js');
    expect(body).toContain('.try-it');
  });

  test('alone may do that: others have the policy and the files that they had', async () => {
    const { connections, loaded, body } = await read('');
    expect(connections).toBe("'self'");
    expect(loaded.filter((name) => name.startsWith('operation'))).toEqual([]);
    expect(body).not.toMatch(/data-request-origins|\.try-it/);
  });

  test('made from a specification has its webhooks', async () => {
    const { body } = await read('/pets-1').catch(async () => await read('/api'));
    expect(body).toContain('A pet was sold');
    expect(body).toContain('The API sends this request to your server.');
  });

  test('says what surrounds them in the language of the site', async () => {
    const change = (language: string | null) =>
      sites.platform.api('PATCH', `/spaces/${spaceId}`, { body: { language } });
    await change('de');
    await waitFor(async () => (await read('/pets')).body.includes('<html lang="de"'));
    const { body } = await read('/pets');
    expect(body).toMatch(/<strong>Server<.*<strong>Antworten</s);
    expect(body).toContain('Ausprobieren');
    expect(body).not.toMatch(/<strong>(?:Responses|Path parameters|Authorization)<|Try it/);
    await change(null);
    await waitFor(async () => (await read('/pets')).body.includes('<html lang="en"'));
  });

  test('may not where the site says so, and not where few may read it, unless it says so', async () => {
    await choose(false);
    await waitFor(async () => (await read('/pets')).connections === "'self'");
    const { body } = await read('/pets');
    expect(body).not.toContain('data-request-origins');
    // The choice of a server is there nevertheless.
    expect(body).toContain('data-call="');
    expect(body).not.toContain('&#x22;request&#x22;');
    await choose(null);
    await waitFor(async () => (await read('/pets')).connections !== "'self'");
    await sites.platform.api('PATCH', `/orgs/${params().organizationId}/sites/${site.id}`, {
      body: { visibility: 'share-link' },
    });
    sites.isMember = true;
    await waitFor(async () => (await read('/pets')).connections === "'self'");
    await choose(true);
    await waitFor(async () => (await read('/pets')).connections !== "'self'");
    sites.isMember = false;
  });
});
