/**
 * For tests of the reports: reads elements, attributes and texts of XML, and fails where it is not well-
 * formed or has what no report has, such as a comment or CDATA. It misses an attribute that stands twice.
 */

/** An element; `text` is all text directly in it. */
export type XmlElement = {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
};

/** A tag or a text. The flag `y` matches exactly where the last match ended. */
const PIECE =
  /<(?<close>\/)?(?<name>[A-Za-z_][\w.-]*)(?<attributes>(?:\s+[A-Za-z_][\w.-]*="[^"<]*")*)(?<empty>\/)?>|(?<text>[^<]+)/y;
const ATTRIBUTE = /([A-Za-z_][\w.-]*)="([^"]*)"/g;

/** Reads a document, and returns its root. @throws Error when the text is not well-formed */
export function readXml(xml: string): XmlElement {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!xml.startsWith(declaration)) throw new Error('There is no declaration.');
  const document: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  const text = xml.slice(declaration.length);
  for (let at = 0; at < text.length; at = PIECE.lastIndex) {
    PIECE.lastIndex = at;
    const groups = PIECE.exec(text)?.groups;
    if (!groups) throw new Error(`Not well-formed at: ${text.slice(at, at + 60)}`);
    readPiece(groups, open);
  }
  const [root, ...others] = document.children;
  if (!root || others.length > 0 || open.length !== 1) throw new Error('There is not exactly one root.');
  return root;
}

export function elementsOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...elementsOf(child, name),
  ]);
}

/** `open` are the elements that are not closed yet, the innermost last. */
function readPiece(
  { close, name, attributes = '', empty, text }: Record<string, string | undefined>,
  open: XmlElement[],
): void {
  const parent = open.at(-1) as XmlElement;
  if (text !== undefined) {
    parent.text += unescaped(text);
  } else if (close !== undefined) {
    if (open.pop()?.name !== name) throw new Error(`<${name}> is closed out of place.`);
  } else {
    const pairs = [...attributes.matchAll(ATTRIBUTE)];
    const element = {
      name: name as string,
      attributes: Object.fromEntries(pairs.map(([, key, value = '']) => [key as string, unescaped(value)])),
      children: [],
      text: '',
    };
    parent.children.push(element);
    if (empty === undefined) open.push(element);
  }
}

/** @throws Error when the text has a character or a reference that no report has */
function unescaped(text: string): string {
  // Below U+0020 XML 1.0 allows only these three control characters, and no others as references.
  if (/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/u.test(text) || !text.isWellFormed())
    throw new Error('There is a character that XML cannot carry.');
  return text.replace(/&([^;\s]*);?/g, (reference, name: string) => {
    const char = { amp: '&', lt: '<', gt: '>', quot: '"', '#10': '\n', '#9': '\t' }[name];
    if (char === undefined || !reference.endsWith(';')) throw new Error(`There is a stray ${reference}.`);
    return char;
  });
}
