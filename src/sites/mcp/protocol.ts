/** The revisions of the Model Context Protocol that are spoken here, the newest first (https://modelcontextprotocol.io/specification). */
export const PROTOCOL_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26'];

/** Errors of JSON-RPC 2.0 (https://www.jsonrpc.org/specification#error_object). */
const ERRORS = { parse: -32700, request: -32600, method: -32601, params: -32602 } as const;

export interface McpTool {
  readonly title: string;
  readonly description: string;
  /** The arguments, each a JSON Schema; all others are refused. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  /** @throws {ToolProblem} */
  call(values: Readonly<Record<string, unknown>>): Promise<string>;
}

/** Why a tool has no result: one sentence for the model, which may then call it otherwise. */
export class ToolProblem extends Error {
  override readonly name = 'ToolProblem';
}

/** What a server says of itself. */
export interface McpServer {
  readonly title: string;
  readonly instructions: string;
  readonly tools: Readonly<Record<string, McpTool>>;
}

/** The answer to one message of a client; null to one that wants none. A server keeps nothing between two messages. */
export async function answerMessage(server: McpServer, text: string): Promise<object | null> {
  const message = parseMessage(text);
  if (message === null) return failure(null, ERRORS.parse, 'The message is not JSON.');
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0' || Array.isArray(message))
    return failure(null, ERRORS.request, 'Send one message of JSON-RPC 2.0.');
  // Answers of clients, and notifications.
  if (typeof method !== 'string' || id === undefined) return null;
  if (typeof id !== 'string' && typeof id !== 'number')
    return failure(null, ERRORS.request, 'The id must be a string or a number.');
  const values = isObject(params) ? params : {};
  switch (method) {
    case 'initialize':
      return success(id, describeServer(server, values['protocolVersion']));
    case 'ping':
      return success(id, {});
    case 'tools/list':
      return success(id, { tools: Object.entries(server.tools).map(describeTool) });
    case 'tools/call':
      return await callTool(server, id, values);
    default:
      return failure(id, ERRORS.method, `There is no method ${JSON.stringify(method.slice(0, 100))} here.`);
  }
}

function describeServer({ title, instructions }: McpServer, wanted: unknown): object {
  const protocolVersion = PROTOCOL_VERSIONS.find((version) => version === wanted) ?? PROTOCOL_VERSIONS[0];
  return {
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'docloom', title, version: '1' },
    instructions,
  };
}

function describeTool([name, { title, description, properties, required }]: [string, McpTool]): object {
  return {
    name,
    title,
    description,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}

async function callTool(
  { tools }: McpServer,
  id: string | number,
  { name, arguments: given }: Readonly<Record<string, unknown>>,
): Promise<object> {
  const tool = typeof name === 'string' && Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (tool === undefined)
    return failure(
      id,
      ERRORS.params,
      `There is no such tool; there are ${Object.keys(tools).join(' and ')}.`,
    );
  const values = isObject(given) ? given : {};
  const unknown = Object.keys(values).find((key) => !Object.hasOwn(tool.properties, key));
  const missing = tool.required.find((key) => values[key] === undefined);
  if (unknown !== undefined || missing !== undefined) {
    const problem =
      missing === undefined
        ? `There is no argument ${JSON.stringify(unknown?.slice(0, 100))}.`
        : `The argument “${missing}” is missing.`;
    return success(id, { content: [{ type: 'text', text: problem }], isError: true });
  }
  try {
    return success(id, { content: [{ type: 'text', text: await tool.call(values) }] });
  } catch (error) {
    if (!(error instanceof ToolProblem)) throw error;
    return success(id, { content: [{ type: 'text', text: error.message }], isError: true });
  }
}

function parseMessage(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === 'object' ? (message as Readonly<Record<string, unknown>> | null) : {};
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function success(id: string | number, result: object): object {
  return { jsonrpc: '2.0', id, result };
}

function failure(id: string | number | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
