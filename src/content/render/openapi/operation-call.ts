import { accessAlternatives, placeOfCredential } from './credentials.ts';
import type { ContentView, OperationView, ParameterView } from './operation-view.ts';
import type { OperationWords } from './operation-words.ts';
import { sampleOfContent, sampleOfField, textOfValue } from './sample-values.ts';
import { serverAddress, serversOf } from './server-address.ts';

/** What the script of a page needs to know of an operation; the pages of sites have it as `data-call`. */
interface OperationCall {
  readonly method: string;
  readonly path: string;
  /** The address of the samples. */
  readonly base: string;
  readonly servers: readonly {
    readonly url: string;
    readonly label: string;
    readonly variables: readonly {
      readonly name: string;
      readonly initial: string;
      readonly values: readonly string[];
    }[];
  }[];
  /** Absent where readers may only choose a server. */
  readonly request?: RequestForm;
}

interface RequestForm {
  readonly parameters: readonly {
    readonly in: string;
    readonly name: string;
    readonly isRequired: boolean;
    readonly hint: string;
    readonly values: readonly string[];
    /** Empty for a simple value. */
    readonly style: string;
  }[];
  /** Each alternative: its name, and what it takes. */
  readonly access: readonly {
    readonly name: string;
    readonly credentials: readonly {
      readonly label: string;
      readonly in: string;
      readonly name: string;
      readonly prefix: string;
    }[];
  }[];
  readonly bodies: readonly {
    readonly mediaType: string;
    readonly sample: string;
    readonly fields: readonly string[];
  }[];
}

/** Null where there is nothing to choose and nothing to send. */
export function callOf(
  operation: OperationView,
  canTry: boolean,
  words: OperationWords,
): OperationCall | null {
  if (operation.isWebhook === true) return null;
  const servers = serversOf(operation);
  const hasChoice = servers.length > 1 || servers.some(({ variables }) => variables.length > 0);
  if (!canTry && !hasChoice) return null;
  return {
    method: operation.method,
    path: operation.path,
    base: serverAddress(servers[0]),
    servers: servers.map(({ url, description, variables }) => ({
      url,
      label: description.length > 60 ? '' : description,
      variables: variables.map(({ name, initial, values }) => ({ name, initial, values })),
    })),
    ...(canTry ? { request: requestForm(operation, words) } : {}),
  };
}

function requestForm(operation: OperationView, words: OperationWords): RequestForm {
  return {
    parameters: operation.parameters.filter(({ in: location }) => location !== 'cookie').map(parameterOf),
    access: accessAlternatives(operation).map((credentials) => ({
      name: credentials.map(({ name }) => name).join(` ${words.and} `) || words.none,
      credentials: credentials.flatMap((credential) => {
        const place = placeOfCredential(credential);
        // Browsers send no cookie that a page made up, and no certificate.
        if (place === null || place.in === 'cookie') return [];
        return [{ label: credential.name, in: place.in, name: place.name, prefix: place.prefix }];
      }),
    })),
    bodies: (operation.body?.contents ?? []).map(bodyOf),
  };
}

function parameterOf(parameter: ParameterView) {
  const { name, isRequired, values = [], style = '', in: location } = parameter;
  return { in: location, name, isRequired, hint: textOfValue(sampleOfField(parameter)), values, style };
}

function bodyOf(content: ContentView) {
  const { mediaType, examples = [], fields } = content;
  const isForm = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/i.test(mediaType);
  const outer = isForm ? fields.filter(({ depth }) => depth === 0).map(({ name }) => name) : [];
  const sample = /\bjson\b/i.test(mediaType) ? JSON.stringify(sampleOfContent(content), null, 2) : '';
  return { mediaType, sample: isForm ? '' : (examples[0]?.value ?? sample), fields: outer };
}
