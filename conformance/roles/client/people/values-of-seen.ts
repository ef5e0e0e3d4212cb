/** The part of what a person saw that the journal keeps: no value of a patient. */
import { errorTable } from '#protocol/wire/errors.ts';
import type { Values } from '../../../engine/journal/entry.ts';
import { traceIn } from '../../../engine/journal/secrets/found/traces.ts';
import type { FormValues, Seen } from '../drivers/driver.ts';
import type { Handed } from '../servers/handed.ts';
import { changedRecord, ownerOf, people } from './people.ts';
import { alteredMember } from './record-members.ts';

const MAX_TEXT_CHARS = 300;

/** @param handed what was handed out and typed so far */
export function valuesOf(seen: readonly Seen[], handed: HandedOut): Values {
  const last = seen.at(-1) as Seen;
  const forms = [...handed.typed, ...Object.values(people).map(({ form }) => form)];
  const hidden = forms.flatMap(({ name, surname, phone, date }) =>
    [name, surname, phone, date].filter((value) => value.length > 1),
  );
  const text = hidden.reduce((rest, value) => rest.replaceAll(value, '‹patient data›'), last.text);
  const told = typeof last.patient === 'string' ? `${last.text} ${last.patient}` : last.text;
  return given({
    sees: last.sees,
    text: text.slice(0, MAX_TEXT_CHARS),
    all: seen.map(({ sees }) => sees).join(', '),
    handed: handed.secrets().size > 0 ? 'yes' : undefined,
    secret: secretIn(told, handed),
    raw: rawIn(last.text),
    ...(last.patient !== undefined && aboutRecord(last, handed)),
  });
}

type Names = Pick<FormValues, 'name' | 'surname'>;

type HandedOut = Pick<Handed, 'typed' | 'served' | 'secrets'>;

function aboutRecord({ patient, text }: Seen, handed: HandedOut) {
  const record = JSON.stringify(patient);
  const all = `${record} ${text}`;
  return {
    hasRecord: 'yes',
    secretInRecord: secretIn(record, handed),
    altered: alteredMember(patient, handed.served),
    record: ownerOf(record),
    served: handed.served,
    spelling: spellingIn(all, handed.typed),
    version: versionIn(all),
  };
}

/** What kind of secret stands in a text. */
const secretIn = (text: string, handed: HandedOut): string | undefined =>
  [...handed.secrets()].find(([value]) => text.includes(value))?.[1];

/** The members that have a value. */
const given = (members: Readonly<Record<string, string | undefined>>): Values =>
  Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** Whether names stand there as they were typed or as the record has them, where the two differ. */
function spellingIn(text: string, typed: readonly FormValues[]): 'typed' | 'recorded' | undefined {
  const has = (value: string) => text.toLowerCase().includes(value.toLowerCase());
  const { form, patient } = people.alena;
  if (!typed.some(({ surname }) => surname === form.surname)) return undefined;
  const isIn = (names: Names) => has(names.name) || has(names.surname);
  if (isIn(patient)) return 'recorded';
  return isIn(form) ? 'typed' : undefined;
}

/** Whether the record of the first person stands there as it was, or as it is after its change. */
function versionIn(text: string): 'first' | 'changed' | undefined {
  const has = ({ surname }: Names) => text.toLowerCase().includes(surname.toLowerCase());
  if (has(changedRecord)) return 'changed';
  return has(people.darya.patient) ? 'first' : undefined;
}

const REASONS = Object.keys(errorTable).filter((reason) => reason.includes('_'));

/** Texts for programs that a person can do nothing with. */
const RAW: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['the lines of a stack', /Traceback \(|^\s*at .+:\d+/m],
  ['JSON', /[{[]\s*"/],
  ['a value of a program', /\[object Object\]|\bundefined\b|\bNaN\b/],
  ['HTML', /<(?:!doctype|html|body)\b/i],
  [
    'the name of an exception',
    /\b[A-Z]\w*(?:Error|Exception)\b|\[Errno \d+\]|\bE(?:CONN|TIMEDOUT|NOTFOUND)\w*\b/,
  ],
  ['the number of an error', /(?<![\d-])-3[234]\d{3}\b/],
  ['the name of a reason', new RegExp(`\\b(?:${REASONS.join('|')})\\b`)],
];

function rawIn(text: string): string | undefined {
  const platform = traceIn(text);
  if (platform !== undefined) return `a stack of ${platform}`;
  return RAW.find(([, pattern]) => pattern.test(text))?.[0];
}
