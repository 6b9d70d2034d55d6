import { html } from '../../markup/index.ts';
import { answerMessage, PROTOCOL_VERSIONS } from '../mcp/protocol.ts';
import { siteTools } from '../mcp/site-tools.ts';
import { isFromSite, type SiteRequest } from '../site-request.ts';
import { renderPlainPage } from '../views/render-plain-page.ts';
import { preferredLanguage, wordsFor } from '../views/words/index.ts';

/** Where the site speaks the Model Context Protocol, over streamable HTTP without sessions. */
export const MCP_PATH = '~/mcp';

/** Answers one message in one response; there is nothing to listen to. */
export async function answerMcp(site: SiteRequest): Promise<boolean> {
  const { request, reply } = site;
  reply.header('cache-control', 'private, no-store');
  if (request.method !== 'POST' && request.headers.accept?.includes('text/html') === true) {
    return showAddress(site);
  }
  if (request.method !== 'POST') {
    return refuse(site, 405, 'Connect to this address with an MCP client over streamable HTTP.');
  }
  if (!isFromSite(site)) {
    return refuse(site, 403, 'Pages of other sites may not call this address from a browser.');
  }
  const version = request.headers['mcp-protocol-version'];
  if (version !== undefined && !PROTOCOL_VERSIONS.includes(String(version))) {
    return refuse(site, 400, `MCP is spoken here in the versions ${PROTOCOL_VERSIONS.join(', ')}.`);
  }
  const { body } = request;
  const answer = await answerMessage(siteTools(site), typeof body === 'string' ? body : '');
  if (answer === null) reply.code(202).send();
  else reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
  return true;
}

/** What people see who open the address in a browser. */
function showAddress({ request, reply, served, addresses }: SiteRequest): boolean {
  const language = preferredLanguage(request.headers['accept-language'] ?? '');
  const address = addresses.canonical('~', 'mcp');
  const configuration = { mcpServers: { [served.site.basename]: { type: 'http', url: address } } };
  const page = renderPlainPage({
    language,
    assetsHref: `${addresses.below('~', 'assets')}/`,
    title: wordsFor(language).connectMcp,
    body: html`<p><a href="${addresses.below()}">${served.site.title}</a></p>
<pre tabindex="0"><code>${address}</code></pre>
<pre tabindex="0"><code>${JSON.stringify(configuration, null, 2)}</code></pre>`,
    canonical: null,
  });
  reply.type('text/html; charset=utf-8').send(page);
  return true;
}

function refuse({ reply }: SiteRequest, status: number, sentence: string): boolean {
  if (status === 405) reply.header('allow', 'POST');
  reply.code(status).type('text/plain; charset=utf-8').send(`${sentence}\n`);
  return true;
}
