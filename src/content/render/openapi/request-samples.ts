import { accessAlternatives, placeOfCredential } from './credentials.ts';
import type { OperationView } from './operation-view.ts';
import { type SampleValue, sampleOfContent, sampleOfField, textOfValue } from './sample-values.ts';
import { serverAddress, serversOf } from './server-address.ts';

export interface CodeSample {
  readonly title: string;
  readonly language: string;
  readonly code: string;
}

interface SampleRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined for none. */
  readonly json: SampleValue | undefined;
  /** Of a form. */
  readonly form: readonly (readonly [name: string, value: string])[];
}

/** How to call an operation, in the languages of most readers. */
export function requestSamples(operation: OperationView): readonly CodeSample[] {
  const request = sampleRequest(operation);
  return [
    { title: 'curl', language: 'bash', code: asCurl(request) },
    { title: 'JavaScript', language: 'javascript', code: asJavaScript(request) },
    { title: 'Python', language: 'python', code: asPython(request) },
  ];
}

function sampleRequest(operation: OperationView): SampleRequest {
  const { method, path, parameters, body } = operation;
  const access = sampleAccess(operation);
  const fieldsIn = (location: string) => parameters.filter((parameter) => parameter.in === location);
  const query = [
    ...fieldsIn('query')
      .filter(({ isRequired }) => isRequired)
      .map((field) => [field.name, textOfValue(sampleOfField(field))] as const),
    ...access.query,
  ];
  const content = body?.contents.find(({ mediaType }) => /\bjson\b/i.test(mediaType)) ?? body?.contents[0];
  const isJson = content !== undefined && /\bjson\b/i.test(content.mediaType);
  const isForm =
    content !== undefined &&
    /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/i.test(content.mediaType);
  const value = content === undefined ? undefined : sampleOfContent(content);
  return {
    method,
    url:
      addressOf(serverAddress(serversOf(operation)[0]), path) +
      (query.length === 0 ? '' : `?${encodeQuery(query)}`),
    headers: [
      ...access.headers,
      ...fieldsIn('header')
        .filter(({ isRequired, name }) => isRequired && !/^authorization$/i.test(name))
        .map((field) => [field.name, textOfValue(sampleOfField(field))] as const),
      ...(isJson ? [['Content-Type', content.mediaType] as const] : []),
    ],
    json: isJson ? value : undefined,
    form: isForm ? Object.entries(value ?? {}).map(([name, one]) => [name, textOfValue(one)] as const) : [],
  };
}

/** Parameters of the path become words to replace: braces mean something to shells. */
function addressOf(base: string, path: string): string {
  const words = (name: string) => name.replace(/(?<=[a-z\d])(?=[A-Z])|[^\w]+/g, '_').toUpperCase();
  return base + path.replace(/\{([^{}]+)\}/g, (_all, name: string) => words(name));
}

function encodeQuery(query: readonly (readonly [string, string])[]): string {
  return query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}

/** What the first alternative of authorization adds to a request. */
function sampleAccess(operation: OperationView) {
  const [first = []] = accessAlternatives(operation);
  const places = first.flatMap((credential) => placeOfCredential(credential) ?? []);
  const at = (location: string) =>
    places
      .filter((place) => place.in === location)
      .map(({ name, prefix, sample }) => [name, prefix + sample] as const);
  const cookies = at('cookie').map(([name, value]) => `${name}=${value}`);
  const cookie = cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const];
  return { headers: [...at('header'), ...cookie], query: at('query') };
}

function asCurl({ method, url, headers, json, form }: SampleRequest): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shellText(url)}`,
    ...headers.map(([name, value]) => `-H ${shellText(`${name}: ${value}`)}`),
    ...(json === undefined ? [] : [`-d ${shellText(JSON.stringify(json, null, 2))}`]),
    ...form.map(([name, value]) => `-F ${shellText(`${name}=${value}`)}`),
  ];
  return lines.join(' \\\n  ');
}

function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function asJavaScript({ method, url, headers, json, form }: SampleRequest): string {
  const options = [
    ...(method === 'GET' ? [] : [`method: ${JSON.stringify(method)},`]),
    ...(headers.length === 0
      ? []
      : [`headers: ${indented(JSON.stringify(Object.fromEntries(headers), null, 2), 2)},`]),
    ...(json === undefined ? [] : [`body: JSON.stringify(${indented(JSON.stringify(json, null, 2), 2)}),`]),
    ...(form.length === 0
      ? []
      : [`body: new URLSearchParams(${indented(JSON.stringify(Object.fromEntries(form), null, 2), 2)}),`]),
  ];
  const call = options.length === 0 ? '' : `, {\n${options.map((line) => `  ${line}\n`).join('')}}`;
  return `const response = await fetch(${JSON.stringify(url)}${call});\nconsole.log(response.status, await response.text());`;
}

function asPython({ method, url, headers, json, form }: SampleRequest): string {
  const lines = [
    JSON.stringify(url),
    ...(headers.length === 0 ? [] : [`headers=${pythonOf(Object.fromEntries(headers), 4)}`]),
    ...(json === undefined ? [] : [`json=${pythonOf(json, 4)}`]),
    ...(form.length === 0 ? [] : [`data=${pythonOf(Object.fromEntries(form), 4)}`]),
  ];
  const call = `requests.request(\n    ${[JSON.stringify(method), ...lines].join(',\n    ')},\n)`;
  return `import requests\n\nresponse = ${call}\nprint(response.status_code, response.text)`;
}

function pythonOf(value: SampleValue, indent: number): string {
  const space = ' '.repeat(indent);
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const items = Array.isArray(value)
    ? (value as readonly SampleValue[]).map((one) => pythonOf(one, indent + 4))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${pythonOf(one, indent + 4)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${items.map((item) => `${space}    ${item},\n`).join('')}${space}${close}`;
}

function indented(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}
