/** Infers from the HTML in a recording in which words a person uses the page of a client. */
import type { SeenFact } from '../../../engine/learn/seen-fact.ts';
import { formsIn, type PageButton, type PageField, type PageForm } from './html.ts';
import { type ButtonKind, type FieldKind, genderWords, kindOfButton, kindOfField } from './kinds.ts';

/** HTML that a recording has. `where` names its place in the recording. */
export type SeenHtml = { html: string; where: string };

/** A form whose purpose is known: its fields by what is typed there, and the button that sends it. */
export type KnownForm = {
  fields: Readonly<Partial<Record<FieldKind, string>>>;
  /** The words of options for the codes of gender, where they are others. */
  genders: Readonly<Record<string, string>>;
  press: string;
  /** A text that stands on the page with this form alone; undefined where no text is known to. */
  text: string | undefined;
};

/** The words of a page. A member is absent where the HTML does not show it. */
export type SeenPage = {
  forms: Readonly<Partial<Record<'signIn' | 'enterCode' | 'fillForm', SeenFact<KnownForm>>>>;
  buttons: Readonly<Partial<Record<ButtonKind, SeenFact<string>>>>;
};

/**
 * Infers the words.
 * @param isPrivate whether a text has something of a person or a secret; then nothing is taken from it
 */
export async function seenPage(
  pages: readonly SeenHtml[],
  isPrivate: (text: string) => boolean,
): Promise<SeenPage> {
  const read = await Promise.all(
    pages.map(async ({ html, where }) =>
      (await formsIn(html)).map((form) => ({ where, form: publicPart(form, isPrivate) })),
    ),
  );
  const all = read.flat();
  const forms: Partial<Record<keyof SeenPage['forms'], SeenFact<KnownForm>>> = {};
  const buttons: Partial<Record<ButtonKind, SeenFact<string>>> = {};
  const headings = new Set(all.map(({ form }) => form.heading));
  for (const { where, form } of all) {
    const known = knownForm(form, headings.size === all.length);
    if (known) forms[known.purpose] ??= { value: known, because: `a form in ${where}` };
    for (const button of form.buttons) {
      const kind = kindOfButton(button);
      if (kind) buttons[kind] ??= { value: button.words, because: `a button in ${where}` };
    }
  }
  return { forms, buttons };
}

/** The form without words that may be of a person. */
function publicPart({ heading, fields, buttons }: PageForm, isPrivate: (text: string) => boolean): PageForm {
  return {
    heading: isPrivate(heading) ? '' : heading,
    fields: fields.filter(({ label }) => !isPrivate(label)),
    buttons: buttons.filter(({ words }) => !isPrivate(words)),
  };
}

/** @param hasOwnHeading whether each form of the recording has a heading of its own */
function knownForm(
  { heading, fields, buttons }: PageForm,
  hasOwnHeading: boolean,
): (KnownForm & { purpose: keyof SeenPage['forms'] }) | undefined {
  const labelled = new Map<FieldKind, PageField>();
  for (const field of fields) {
    const kind = kindOfField(field);
    if (kind && field.label !== '' && !labelled.has(kind)) labelled.set(kind, field);
  }
  const purpose = purposeOf(labelled);
  const send = sender(buttons);
  if (!purpose || !send) return undefined;
  const gender = labelled.get('gender');
  return {
    purpose,
    fields: Object.fromEntries([...labelled].map(([kind, { label }]) => [kind, label])),
    genders: gender ? genderWords(gender) : {},
    press: send.words,
    text: send.isText ? send.words : hasOwnHeading && heading !== '' ? heading : undefined,
  };
}

function purposeOf(fields: ReadonlyMap<FieldKind, unknown>): keyof SeenPage['forms'] | undefined {
  if (fields.has('surname')) return 'fillForm';
  if (fields.has('code')) return 'enterCode';
  return fields.has('phone') ? 'signIn' : undefined;
}

/** The button that sends a form: the first that submits it, or else the first without another purpose. */
const sender = (buttons: readonly PageButton[]): PageButton | undefined =>
  buttons.find((button) => button.submits && !kindOfButton(button)) ??
  buttons.find((button) => !kindOfButton(button));
