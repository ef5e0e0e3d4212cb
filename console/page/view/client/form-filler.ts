/**
 * Fills the forms of the client in its frame, as if the person typed. The client knows nothing of it: the
 * fields are found by their names.
 */
import type { PersonCard } from '../../../api.ts';

export type FormFiller = ReturnType<typeof createFormFiller>;
type Field = HTMLInputElement | HTMLSelectElement;

/** `date` is `YYYY-MM-DD hh:mm:ss.mmm`, and a date field takes the day. */
const DAY_LENGTH = 10;

export function createFormFiller() {
  let frame: HTMLIFrameElement | null = null;
  let observer: MutationObserver | undefined;
  /** The forms that were filled on their own, once each. */
  let filled = new WeakSet<Element>();
  let person: PersonCard | undefined;

  const page = () => frame?.contentDocument ?? undefined;

  /** A form that appears while a person is chosen is filled, unless somebody typed already. */
  function onChanged(): void {
    const form = page()?.querySelector('form');
    if (!person || !form || filled.has(form)) return;
    filled.add(form);
    // The client itself fills in the phone that is signed in.
    const first =
      form.querySelector<HTMLInputElement>('[name="surname"]') ??
      form.querySelector<HTMLInputElement>('[name="phone"]');
    if (first?.value === '') fill(form, person);
  }

  return {
    /** Takes the frame of the client, each time it has loaded. */
    attach(to: HTMLIFrameElement): void {
      frame = to;
      observer?.disconnect();
      const body = page()?.body;
      if (!body) return;
      observer = new MutationObserver(onChanged);
      observer.observe(body, { childList: true, subtree: true });
      onChanged();
    },
    /**
     * Fills the form in view with what the person would type, one with several sets of properties the one of
     * this index. Tells whether there was a field for it.
     */
    fillPerson(chosen: PersonCard, typedIndex = 0): boolean {
      person = { ...chosen, typed: chosen.typed.slice(typedIndex) };
      filled = new WeakSet();
      const form = page()?.querySelector('form');
      if (!form) return false;
      filled.add(form);
      return fill(form, person);
    },
    fillCode(code: string): boolean {
      const form = page()?.querySelector('form');
      if (!form || !setValue(form, 'code', code)) return false;
      showButton(form);
      return true;
    },
  };
}

function fill(form: Element, person: PersonCard): boolean {
  const isFilled = setAllValues(form, person);
  if (isFilled) showButton(form);
  return isFilled;
}

function setAllValues(form: Element, { signIn, typed }: PersonCard): boolean {
  const properties = typed[0];
  if (!form.querySelector('[name="surname"]') || !properties) return setValue(form, 'phone', signIn);
  const { name, surname, date, gender, phone } = properties;
  setValue(form, 'name', name);
  setValue(form, 'surname', surname);
  setValue(form, 'date', date.slice(0, DAY_LENGTH));
  setValue(form, 'gender', String(gender));
  return setValue(form, 'phone', phone);
}

/** Shows the button of a form, which comes next. */
function showButton(form: Element): void {
  form.querySelector('button')?.scrollIntoView({ block: 'nearest' });
}

/** React ignores a value that is assigned to the field itself: the setter of its class is called. */
function setValue(form: Element, name: string, value: string): boolean {
  const field = form.querySelector<Field>(`[name="${name}"]`);
  if (!field) return false;
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set;
  setter?.call(field, value);
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
  return true;
}
