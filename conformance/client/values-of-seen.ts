/** The part of what a person saw that the journal keeps: no value of a patient. */
import type { Values } from '../journal/entry.ts';
import type { FormValues, Seen } from './driver.ts';
import { type Person, people } from './people.ts';

const MAX_TEXT_CHARS = 300;

/** @param typed the forms that were filled in so far */
export function valuesOf(seen: readonly Seen[], typed: readonly FormValues[]): Values {
  const last = seen.at(-1) as Seen;
  const hidden = [...typed, ...Object.values(people).map(({ form }) => form)].flatMap((form) =>
    [form.name, form.surname, form.phone, form.date].filter((value) => value.length > 1),
  );
  const text = hidden.reduce((rest, value) => rest.replaceAll(value, '‹patient data›'), last.text);
  const shown = JSON.stringify(last.patient ?? null);
  const isOf = ({ id, surname }: Person['patient']) => shown.includes(id) || shown.includes(surname);
  const whose = Object.entries(people).find(([, { patient }]) => isOf(patient))?.[0];
  return {
    sees: last.sees,
    text: text.slice(0, MAX_TEXT_CHARS),
    all: seen.map(({ sees }) => sees).join(', '),
    ...(whose !== undefined && { record: whose }),
    ...(last.patient !== undefined && { hasRecord: 'yes' }),
  };
}
