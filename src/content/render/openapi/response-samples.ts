import type { ContentView, OperationView } from './operation-view.ts';
import type { CodeSample } from './request-samples.ts';
import { sampleOfContent } from './sample-values.ts';

/** Of one operation. */
const MAX_SAMPLES = 8;

/** What comes back: for each status a body, as the author or the schema shows it. */
export function responseSamples({ responses }: OperationView): readonly CodeSample[] {
  return responses
    .flatMap(({ status, contents }) => {
      const sample = sampleOf(contents);
      return sample === null ? [] : [{ ...sample, title: status }];
    })
    .slice(0, MAX_SAMPLES);
}

/** What a webhook sends. */
export function payloadSamples({ body }: OperationView): readonly CodeSample[] {
  const sample = sampleOf(body?.contents ?? []);
  return sample === null ? [] : [sample];
}

function sampleOf(contents: readonly ContentView[]): CodeSample | null {
  for (const content of contents) {
    const { mediaType, fields, examples = [] } = content;
    const isJson = /\bjson\b/i.test(mediaType);
    const [example] = examples;
    if (example !== undefined)
      return { title: mediaType, language: isJson ? 'json' : '', code: example.value };
    if (isJson && fields.length > 0)
      return { title: mediaType, language: 'json', code: JSON.stringify(sampleOfContent(content), null, 2) };
  }
  return null;
}
