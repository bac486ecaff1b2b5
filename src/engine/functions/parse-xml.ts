import { SaxesParser } from 'saxes';
import { readField, writeField } from '../event.ts';
import { markError } from '../formats/parse-error.ts';
import { rowStep } from '../operators/row-code.ts';
import { fieldName, flag, text } from '../signature/argument-types.ts';
import { define, withDefault } from '../signature/function-spec.ts';

/** Extracts fields from XML in a field. If it is not XML, sets `@error` and leaves the event unchanged. */
export const parseXml = define.transform({
  name: 'parseXml',
  uncertain: [
    'An attribute is a member of its element: `<a b="1"/>` sets `a.b`.',
    'Repeated elements form an array: `a.b[0]`, `a.b[1]`. A single element has no index.',
    'Element text is trimmed. An empty element sets an empty field.',
    'Events without the field are unchanged, even with `strict=true`.',
  ],
  parameters: {
    field: withDefault(fieldName, '@rawstring', { unnamed: true }),
    prefix: withDefault(text, ''),
    strict: withDefault(flag, false),
  },
  compile: ({ field, prefix, strict }) =>
    rowStep((_run, emit) => (row) => {
      const source = readField(row, field);
      if (source !== undefined) {
        const isXml = readXml(source, (path, value) => writeField(row, prefix + path, value));
        if (!isXml && strict) return;
        if (!isXml) markError(row, `The field "${field}" contains no valid XML.`);
      }
      emit(row);
    }),
});

/** Receives every value of an XML document, with its path as a field name. */
type XmlSink = (path: string, text: string) => void;

/** Deeper than any event. */
const MAX_DEPTH = 200;

interface Element {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: Element[];
  text: string;
}

/**
 * Parses XML. The text of an element has its path as the name (`Task.Author`), an attribute that of its element
 * (`Task.version`). Adjacent elements with the same name are numbered from 0: `Task.Arg[0]`, `Task.Arg[1]`.
 *
 * Names keep their namespace prefixes. Only the five predefined entities are supported, so documents can't expand
 * without limit.
 *
 * @returns false if it is not XML; then `sink` receives nothing.
 */
function readXml(text: string, sink: XmlSink): boolean {
  const root = parse(text);
  if (root === undefined) return false;
  tell(root, root.name, sink);
  return true;
}

function parse(text: string): Element | undefined {
  const parser = new SaxesParser();
  const top = newElement('', {});
  const open: Element[] = [top];
  let isWrong = false;
  parser.on('opentag', ({ name, attributes }) => {
    const element = newElement(name, attributes);
    open.at(-1)?.children.push(element);
    open.push(element);
    if (open.length > MAX_DEPTH) throw new TooDeep();
  });
  parser.on('closetag', () => open.pop());
  const addText = (piece: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text += piece;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('error', () => {
    isWrong = true;
  });
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
  return isWrong ? undefined : top.children[0];
}

class TooDeep extends Error {
  override readonly name = 'TooDeep';
}

function newElement(name: string, attributes: Readonly<Record<string, string>>): Element {
  return { name, attributes: Object.entries(attributes), children: [], text: '' };
}

function tell({ attributes, children, text }: Element, path: string, sink: XmlSink): void {
  const content = text.trim();
  const isLeaf = attributes.length === 0 && children.length === 0;
  if (content !== '' || isLeaf) sink(path, content);
  for (const [name, value] of attributes) sink(`${path}.${name}`, value);
  const counts = new Map<string, number>();
  for (const { name } of children) counts.set(name, (counts.get(name) ?? 0) + 1);
  const indexes = new Map<string, number>();
  for (const child of children) {
    const { name } = child;
    const index = indexes.get(name) ?? 0;
    indexes.set(name, index + 1);
    tell(child, counts.get(name) === 1 ? `${path}.${name}` : `${path}.${name}[${index}]`, sink);
  }
}
