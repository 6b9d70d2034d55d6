import type { Element, ElementContent } from 'hast';
import { box } from '../blocks/block-elements.ts';
import { element } from '../hast-elements.ts';
import { textNode, wordsOfCell } from './description-elements.ts';
import { codeNode, label } from './operation-parts.ts';
import type { FieldView } from './operation-view.ts';
import { type FieldTree, nestFields } from './sample-values.ts';

/** Properties, and the forms that a value may have; what is inside of them unfolds. */
export function fieldLists(fields: readonly FieldView[]): ElementContent[] {
  return listsOf(nestFields(fields));
}

function listsOf(tree: readonly FieldTree[]): ElementContent[] {
  const [forms, properties] = [tree.filter(isForm), tree.filter((one) => !isForm(one))];
  return [
    ...(properties.length === 0 ? [] : [box('ul', 'fields', properties.map(fieldItem))]),
    ...(forms.length === 0
      ? []
      : [
          label(properties.length === 0 ? 'One of' : 'And one of'),
          box('ul', 'fields', forms.map(fieldItem)),
        ]),
  ];
}

function isForm({ field }: FieldTree): boolean {
  return field.role === 'alternative';
}

function fieldItem(tree: FieldTree): Element {
  const { field, inner } = tree;
  const { name, type, isRequired, isDeprecated, description, notes } = field;
  const words = [
    ...wordsOfCell(description),
    ...(notes.length === 0 ? [] : [textNode(`${description === '' ? '' : ' '}${notes.join('; ')}.`)]),
  ];
  const isNamed = !isForm(tree) || name !== type;
  return element('li', [
    element('p', [
      isForm(tree) ? element('strong', [textNode(name)]) : codeNode(name),
      ...(isNamed ? [textNode(' '), box('span', 'type', [textNode(type)])] : []),
      ...(isRequired ? [textNode(' '), box('span', 'required', [textNode('required')])] : []),
      ...(isDeprecated ? [textNode(' '), box('span', 'badge', [textNode('deprecated')])] : []),
    ]),
    ...(words.length === 0 ? [] : [element('p', words)]),
    ...(inner.length === 0
      ? []
      : [element('details', [element('summary', [textNode(countOf(inner))]), ...listsOf(inner)])]),
  ]);
}

function countOf(inner: readonly FieldTree[]): string {
  const forms = inner.filter(isForm).length;
  const properties = inner.length - forms;
  const parts = [
    ...(properties === 0 ? [] : [properties === 1 ? '1 property' : `${properties} properties`]),
    ...(forms === 0 ? [] : [`${forms} forms`]),
  ];
  return parts.join(', ');
}
