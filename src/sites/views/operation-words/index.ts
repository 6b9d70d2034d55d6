import { operationsAr } from './ar.ts';
import { operationsDe } from './de.ts';
import { operationsEn } from './en.ts';
import { operationsEs } from './es.ts';
import { operationsFr } from './fr.ts';
import { operationsHe } from './he.ts';
import { operationsIt } from './it.ts';
import { operationsJa } from './ja.ts';
import { operationsKo } from './ko.ts';
import { operationsNl } from './nl.ts';
import type { OperationLabels } from './operation-labels.ts';
import { operationsPl } from './pl.ts';
import { operationsPt } from './pt.ts';
import { operationsRu } from './ru.ts';
import { operationsZh } from './zh.ts';

/** In the languages of the frame. */
export const OPERATION_LABELS: Readonly<Record<string, OperationLabels>> = {
  ar: operationsAr,
  de: operationsDe,
  en: operationsEn,
  es: operationsEs,
  fr: operationsFr,
  he: operationsHe,
  it: operationsIt,
  ja: operationsJa,
  ko: operationsKo,
  nl: operationsNl,
  pl: operationsPl,
  pt: operationsPt,
  ru: operationsRu,
  zh: operationsZh,
};

/** What surrounds operations in the language of a site, a BCP 47 tag; English where there is nothing in it. */
export function operationLabelsIn(language: string): OperationLabels {
  const [name = ''] = language.toLowerCase().split(/[-_]/, 1);
  return Object.hasOwn(OPERATION_LABELS, name) ? (OPERATION_LABELS[name] as OperationLabels) : operationsEn;
}

/** What the script of operations needs of it, as JSON. */
export function operationScriptWords(language: string): string {
  const labels = operationLabelsIn(language);
  const { server, authorization, headers, body, tryIt, send, sending, optional, bodyIn, userOf, passwordOf } =
    labels;
  const { took, cut, onlyTo, noAnswer, late, bytes } = labels;
  return JSON.stringify({
    ...{ server, authorization, headers, body, tryIt, send, sending, optional, bodyIn, userOf, passwordOf },
    ...{ took, cut, onlyTo, noAnswer, late, bytes },
  });
}
