import { ENGLISH_OPERATION_WORDS } from '../../../content/render/index.ts';
import type { OperationLabels } from './operation-labels.ts';

export const operationsEn: OperationLabels = {
  ...ENGLISH_OPERATION_WORDS,
  tryIt: 'Try it',
  send: 'Send',
  sending: 'Sending…',
  optional: '{name} (optional)',
  bodyIn: 'Body ({type})',
  userOf: '{name}: user',
  passwordOf: '{name}: password',
  took: '{status} in {ms} ms',
  cut: 'Only the first MB of the answer is shown.',
  onlyTo: 'Requests are sent from here to {hosts} only.',
  noAnswer:
    'The browser got no answer from {host} that it may show. The server cannot be reached, leads elsewhere, or does not allow requests from {own}: it allows them by answering with Access-Control-Allow-Origin (CORS). The sample for curl works without that.',
  late: '{host} did not answer within {seconds} seconds.',
  bytes: '{count} bytes of {type}',
};
