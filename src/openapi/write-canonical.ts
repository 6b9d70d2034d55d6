import { FILES_FIELD, type SpecDocument } from './bundle-spec.ts';
import { isObject } from './pointer.ts';

const REFERENCE = new RegExp(`^#/${FILES_FIELD}/([^/]+)`);

/**
 * Writes the canonical form of a description, in pieces: two descriptions with the same text mean the same. The order of
 * keys, the format, the names of the files it is split into, and the order of `required` do not affect it.
 */
export function writeCanonical(document: SpecDocument, write: (text: string) => void): void {
  const numbers = new Map<string, number>();
  const pending: string[] = [];
  const numberOf = (file: string) => {
    const number = numbers.get(file) ?? numbers.size;
    if (number === numbers.size) {
      numbers.set(file, number);
      pending.push(file);
    }
    return number;
  };
  const { [FILES_FIELD]: files, ...own } = document;
  const emit = (value: unknown, key: string): void => {
    if (Array.isArray(value)) {
      const isSet = key === 'required' && value.every((item) => typeof item === 'string');
      write('[');
      for (const item of isSet ? [...new Set(value as string[])].sort() : value) {
        emit(item, '');
        write(',');
      }
      write(']');
    } else if (isObject(value)) {
      write('{');
      for (const name of Object.keys(value).sort()) {
        if (value[name] === undefined) continue;
        write(`${JSON.stringify(name)}:`);
        emit(value[name], name);
        write(',');
      }
      write('}');
    } else if (key === '$ref' && typeof value === 'string') {
      write(
        JSON.stringify(
          value.replace(REFERENCE, (_all, file: string) => `#/${FILES_FIELD}/${numberOf(file)}`),
        ),
      );
    } else write(JSON.stringify(value) ?? 'null');
  };
  emit(own, '');
  const named = new Map(
    Object.entries(isObject(files) ? files : {}).map(([file, value]) => [encodePart(file), value]),
  );
  for (const file of pending) {
    write('\n');
    emit(named.get(file), '');
  }
}

function encodePart(file: string): string {
  return encodeURI(file.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('#', '%23');
}
