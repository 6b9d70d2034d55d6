import type { Element, ElementContent } from 'hast';
import { box } from '../blocks/block-elements.ts';
import { element } from '../hast-elements.ts';
import { textNode, wordsOfCell } from './description-elements.ts';
import { limitIn, typeIn } from './field-words.ts';
import { codeNode, label } from './operation-parts.ts';
import type { FieldView } from './operation-view.ts';
import { fillWord, type OperationWords } from './operation-words.ts';
import { type FieldTree, nestFields } from './sample-values.ts';

/** Properties, and the forms that a value may have; what is inside of them unfolds. */
export function fieldLists(fields: readonly FieldView[], words: OperationWords): ElementContent[] {
  return listsOf(nestFields(fields), words);
}

function listsOf(tree: readonly FieldTree[], words: OperationWords): ElementContent[] {
  const itemOf = (one: FieldTree) => fieldItem(one, words);
  const [forms, properties] = [tree.filter(isForm), tree.filter((one) => !isForm(one))];
  return [
    ...(properties.length === 0 ? [] : [box('ul', 'fields', properties.map(itemOf))]),
    ...(forms.length === 0
      ? []
      : [
          label(properties.length === 0 ? words.oneOf : words.andOneOf),
          box('ul', 'fields', forms.map(itemOf)),
        ]),
  ];
}

function isForm({ field }: FieldTree): boolean {
  return field.role === 'alternative';
}

function fieldItem(tree: FieldTree, words: OperationWords): Element {
  const { field, inner } = tree;
  const { name, isRequired, isDeprecated, description } = field;
  const type = typeIn(field.type, words);
  const notes = field.notes.map((note) => limitIn(note, words));
  const text = wordsOfCell(description);
  const isNamed = !isForm(tree) || name !== field.type;
  return element('li', [
    element('p', [
      isForm(tree) ? element('strong', [textNode(name)]) : codeNode(name),
      ...(isNamed ? [textNode(' '), box('span', 'type', [textNode(type)])] : []),
      ...(isRequired ? [textNode(' '), box('span', 'required', [textNode(words.required)])] : []),
      ...(isDeprecated ? [textNode(' '), box('span', 'badge', [textNode(words.deprecated)])] : []),
    ]),
    ...(text.length === 0 ? [] : [element('p', text)]),
    // What people wrote may end without a full stop.
    ...(notes.length === 0 ? [] : [box('p', 'type', [textNode(`${notes.join('; ')}.`)])]),
    ...(inner.length === 0
      ? []
      : [
          element('details', [
            element('summary', [textNode(countOf(inner, words))]),
            ...listsOf(inner, words),
          ]),
        ]),
  ]);
}

function countOf(inner: readonly FieldTree[], words: OperationWords): string {
  const forms = inner.filter(isForm).length;
  const properties = inner.length - forms;
  const parts = [
    ...(properties === 0 ? [] : [fillWord(words.properties, { count: properties })]),
    ...(forms === 0 ? [] : [fillWord(words.forms, { count: forms })]),
  ];
  return parts.join(', ');
}
