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

/** The forms of a page in their order, and last what stands outside of them. Loads the parser. */
export async function formsIn(html: string): Promise<PageForm[]> {
  const { Parser } = await import('htmlparser2');
  const reader = new Reader();
  const parser = new Parser({
    onopentag: (name, attributes) => reader.open(name, attributes),
    ontext: (text) => reader.text(text),
    onclosetag: (name) => reader.close(name),
  });
  parser.end(html.slice(0, MAX_HTML_CHARACTERS));
  return reader.forms();
}

type Attributes = Readonly<Record<string, string | undefined>>;
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
  /** How many elements are open whose content a person does not see. */
  #hidden = 0;

  open(name: string, attributes: Attributes): void {
    if (UNSEEN.has(name)) this.#hidden += 1;
    if (this.#hidden > 0) return;
    if (name === 'form') this.#openForm();
    else if (HEADINGS.has(name)) [this.#inHeading, this.#heading] = [true, ''];
    else if (name === 'label') {
      this.#label = { for: attributes.for, words: '' };
      this.#labels.push(this.#label);
    } else if (name === 'button') {
      this.#button = { words: '', submits: (attributes.type ?? 'submit') === 'submit' };
    } else if (name === 'a') this.#button = { words: '', submits: false };
    else if (name === 'input') this.#openInput(attributes);
    else if (name === 'select' || name === 'textarea') this.#list = this.#addField(attributes, name);
    else if (name === 'option') {
      this.#closeOption();
      this.#option = { value: attributes.value, words: '' };
    }
  }

  text(text: string): void {
    if (this.#hidden > 0) return;
    if (this.#option) this.#option.words += text;
    if (this.#list) return;
    if (this.#label) this.#label.words += text;
    if (this.#button) this.#button.words += text;
    if (this.#inHeading) this.#heading += text;
  }

  close(name: string): void {
    if (UNSEEN.has(name)) this.#hidden -= 1;
    if (this.#hidden > 0) return;
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
    const type = (attributes.type ?? 'text').toLowerCase();
    const words = plain(attributes.value ?? '');
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
    const id = attributes.id;
    const label = around ?? this.#labels.find((each) => id !== undefined && each.for === id);
    const others = ['aria-label', 'placeholder'].map((name) => attributes[name]);
    const names = ['autocomplete', 'name', 'id'].flatMap((name) => attributes[name] ?? []);
    const words = [label?.words, ...others].map((each) => plain(each ?? '')).find((each) => each !== '');
    return { label: words ?? '', names, type, options };
  }
}

const UNSEEN: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript']);
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
