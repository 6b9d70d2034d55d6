import type { CredentialView, OperationView } from './operation-view.ts';
import { fillWord, type OperationWords } from './operation-words.ts';

/** The alternatives of authorization, also of an operation that an older release stored. */
export function accessAlternatives({
  access,
  security,
}: Pick<OperationView, 'access' | 'security'>): NonNullable<OperationView['access']> {
  return access ?? security.map(credentialsIn);
}

/** What a phrase of older releases says: `key (apiKey header X-Key) and bearer (http bearer)`. */
function credentialsIn(phrase: string): readonly CredentialView[] {
  return [...phrase.matchAll(/(\S+) \(([^()]*)\)(?: with the scopes ([^()]*?)(?= and |$))?/g)].map(
    ([, name = '', how = '', scopes = '']) => {
      const [type = '', second = '', ...rest] = how.split(' ');
      const isKey = type === 'apiKey';
      return {
        name,
        type,
        scheme: isKey ? '' : second.toLowerCase(),
        in: isKey ? second : '',
        field: isKey ? rest.join(' ') : '',
        description: '',
        scopes: scopes === '' ? [] : scopes.split(', '),
        addresses: [],
      };
    },
  );
}

/** Where a credential is in a request, and what stands for it in samples; null where requests do not show it. */
export function placeOfCredential({ type, scheme, in: location, field }: CredentialView): {
  readonly in: string;
  readonly name: string;
  readonly prefix: string;
  readonly sample: string;
} | null {
  if (type === 'apiKey' && field !== '')
    return { in: location, name: field, prefix: '', sample: 'YOUR_API_KEY' };
  const header = (prefix: string, sample: string) => ({
    in: 'header',
    name: 'Authorization',
    prefix,
    sample,
  });
  if (type === 'basic' || (type === 'http' && scheme === 'basic'))
    return header('Basic ', 'YOUR_CREDENTIALS');
  if (/^(?:oauth2|openIdConnect)$/.test(type) || (type === 'http' && scheme === 'bearer'))
    return header('Bearer ', 'YOUR_TOKEN');
  return null;
}

/** How a credential is sent, in words. */
export function describeCredential(credential: CredentialView, words: OperationWords): string {
  const { type, scheme, in: location, field } = credential;
  if (type === 'apiKey') {
    const sentences: Readonly<Record<string, string>> = {
      query: words.keyInQuery,
      cookie: words.keyInCookie,
    };
    return fillWord(sentences[location] ?? words.keyInHeader, { name: field });
  }
  if (type === 'basic' || (type === 'http' && scheme === 'basic')) return words.password;
  const token = fillWord(words.token, { name: 'Authorization: Bearer' });
  if (type === 'http') return scheme === 'bearer' ? token : `HTTP ${scheme}`.trim();
  if (type === 'oauth2') return `OAuth 2.0: ${token}`;
  if (type === 'openIdConnect') return `OpenID Connect: ${token}`;
  return type === 'mutualTLS' ? words.certificate : type;
}
