/**
 * Reads the HTML of a page as far as a person sees it: its forms, the labels of their fields, and the words
 * of buttons. What a script makes is not there.
 */

/** A field of a form. `names` are the words by which a program knows it: autocomplete, type, name and id. */
export type PageField = {
  readonly label: string;
  readonly names: readonly string[];
  readonly type: string;
  /** For a list: its options. */
  readonly options: readonly PageOption[];
};

export type PageOption = { readonly value: string; readonly words: string };

/** A button or link. `isText`: its words are text of the page, which the value of an input is not. */
export type PageButton = { readonly words: string; readonly submits: boolean; readonly isText: boolean };

/** A form, or what stands outside of all forms. */
export type PageForm = {
  readonly heading: string;
  readonly fields: readonly PageField[];
  readonly buttons: readonly PageButton[];
};

/** Limits the HTML of one page that is read. */
const MAX_HTML_CHARACTERS = 500_000;

/** The forms of a page in their order, and last what stands outside of them. */
export function formsIn(html: string): PageForm[] {
  const reader = new Reader();
  for (const [, , closes, name, attributes, text] of html.slice(0, MAX_HTML_CHARACTERS).matchAll(TOKEN))
    if (text !== undefined) reader.text(decoded(text));
    else if (name !== undefined && closes) reader.close(name.toLowerCase());
    else if (name !== undefined) reader.open(name.toLowerCase(), attributesIn(attributes ?? ''));
  return reader.forms();
}

/** A comment, a script or the like, a tag, or a text. */
const TOKEN =
  /<!--[\s\S]*?-->|<(script|style|template|noscript)\b[\s\S]*?<\/\1\s*>|<(\/?)([a-z][a-z\d-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>|([^<]+)/gi;

type Attributes = ReadonlyMap<string, string>;
type OpenForm = { heading: string; fields: OpenField[]; buttons: PageButton[] };
type OpenField = {
  attributes: Attributes;
  type: string;
  around: LabelOfField | undefined;
  options: PageOption[];
};
type LabelOfField = { for: string | undefined; words: string };
/** A button whose end has not come yet. */
type OpenButton = { words: string; submits: boolean };

class Reader {
  readonly #outside: OpenForm = { heading: '', fields: [], buttons: [] };
  readonly #forms: OpenForm[] = [];
  readonly #labels: LabelOfField[] = [];
  #form = this.#outside;
  #heading = '';
  #label: LabelOfField | undefined;
  #button: OpenButton | undefined;
  #list: OpenField | undefined;
  /** The option, the heading, or nothing: where texts go besides. */
  #option: { value: string | undefined; words: string } | undefined;
  #inHeading = false;

  open(name: string, attributes: Attributes): void {
    if (name === 'form') this.#openForm();
    else if (HEADINGS.has(name)) [this.#inHeading, this.#heading] = [true, ''];
    else if (name === 'label') {
      this.#label = { for: attributes.get('for'), words: '' };
      this.#labels.push(this.#label);
    } else if (name === 'button') {
      this.#button = { words: '', submits: (attributes.get('type') ?? 'submit') === 'submit' };
    } else if (name === 'a') this.#button = { words: '', submits: false };
    else if (name === 'input') this.#openInput(attributes);
    else if (name === 'select' || name === 'textarea') this.#list = this.#addField(attributes, name);
    else if (name === 'option') {
      this.#closeOption();
      this.#option = { value: attributes.get('value'), words: '' };
    }
  }

  text(text: string): void {
    if (this.#option) this.#option.words += text;
    if (this.#list) return;
    if (this.#label) this.#label.words += text;
    if (this.#button) this.#button.words += text;
    if (this.#inHeading) this.#heading += text;
  }

  close(name: string): void {
    if (name === 'form') this.#form = this.#outside;
    else if (name === 'label') this.#label = undefined;
    else if (name === 'button' || name === 'a') this.#closeButton();
    else if (name === 'option') this.#closeOption();
    else if (name === 'select' || name === 'textarea') {
      this.#closeOption();
      this.#list = undefined;
    } else if (HEADINGS.has(name)) {
      this.#inHeading = false;
      // A legend stands within its form.
      this.#form.heading = plain(this.#heading);
    }
  }

  forms(): PageForm[] {
    return [...this.#forms, this.#outside]
      .filter(({ fields, buttons }) => fields.length + buttons.length > 0)
      .map(({ heading, fields, buttons }) => ({
        heading,
        buttons,
        fields: fields.map((field) => this.#fieldOf(field)),
      }));
  }

  #openForm(): void {
    this.#form = { heading: plain(this.#heading), fields: [], buttons: [] };
    this.#forms.push(this.#form);
  }

  #openInput(attributes: Attributes): void {
    const type = (attributes.get('type') ?? 'text').toLowerCase();
    const words = plain(attributes.get('value') ?? '');
    if (['submit', 'button'].includes(type))
      this.#addButton({ words, submits: type === 'submit', isText: false });
    else if (!NO_FIELDS.has(type)) this.#addField(attributes, type);
  }

  #addField(attributes: Attributes, type: string): OpenField {
    const field = { attributes, type, around: this.#label, options: [] };
    this.#form.fields.push(field);
    return field;
  }

  #addButton(button: PageButton): void {
    if (button.words !== '') this.#form.buttons.push(button);
  }

  #closeButton(): void {
    const { words = '', submits = false } = this.#button ?? {};
    this.#addButton({ words: plain(words), submits, isText: true });
    this.#button = undefined;
  }

  #closeOption(): void {
    if (!this.#option) return;
    const words = plain(this.#option.words);
    this.#list?.options.push({ value: this.#option.value ?? words, words });
    this.#option = undefined;
  }

  #fieldOf({ attributes, type, around, options }: OpenField): PageField {
    const id = attributes.get('id');
    const label = around ?? this.#labels.find((each) => id !== undefined && each.for === id);
    const others = ['aria-label', 'placeholder'].map((name) => attributes.get(name));
    const names = ['autocomplete', 'name', 'id'].flatMap((name) => attributes.get(name) ?? []);
    const words = [label?.words, ...others].map((each) => plain(each ?? '')).find((each) => each !== '');
    return { label: words ?? '', names, type, options };
  }
}

const HEADINGS: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'legend']);
/** Inputs into which a person types nothing. */
const NO_FIELDS: ReadonlySet<string> = new Set([
  'hidden',
  'image',
  'reset',
  'file',
  'checkbox',
  'radio',
  'range',
]);

/** A text with single blanks. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

function attributesIn(text: string): Attributes {
  const found = text.matchAll(/([^\s=/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g);
  return new Map(
    [...found].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      decoded(double ?? single ?? bare ?? ''),
    ]),
  );
}

/** A text with its character references replaced, as far as labels have any. */
function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,6})|#x([\da-f]{1,5})|(amp|lt|gt|quot|apos|nbsp));/gi,
    (_all, ten, hex, name) =>
      name === undefined
        ? String.fromCodePoint(Number.parseInt(ten ?? hex, ten ? 10 : 16))
        : (NAMED[name] ?? ''),
  );
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
