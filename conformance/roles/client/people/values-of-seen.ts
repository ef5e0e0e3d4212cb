/** Turns what a person saw in the client into values for the journal, which hold no value of a patient. */
import { errorTable } from '#protocol/wire/errors.ts';
import type { Values } from '../../../engine/journal/entry.ts';
import { traceIn } from '../../../engine/journal/secrets/found/traces.ts';
import type { FormValues, Seen } from '../drivers/driver.ts';
import type { Handed } from '../servers/handed.ts';
import { markupIn } from './odd-records.ts';
import { changedRecord, ownerOf, people } from './people.ts';
import { alteredMember } from './record-members.ts';

/** The journal keeps this much of a screen's text: enough for a sentence of the report. */
const MAX_TEXT_CHARS = 300;

/** `handed`: the servers gave out a secret. `secret`, `raw`: what ought not to stand there. */
export function valuesOf(seen: readonly Seen[], handed: HandedOut): Values {
  const last = seen.at(-1) as Seen;
  const forms = [...handed.typed, ...Object.values(people).map(({ form }) => form)];
  // A value of one character is left: its removal would spoil the text.
  const hidden = forms.flatMap(({ name, surname, phone, date }) =>
    [name, surname, phone, date].filter((value) => value.length > 1),
  );
  const text = hidden.reduce((rest, value) => rest.replaceAll(value, '‹patient data›'), last.text);
  const onPage = typeof last.patient === 'string' ? [last.patient] : [];
  const told = [last.text, ...onPage, last.beside ?? ''].join(' ');
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

/** Whose record it is, whose the EHR server gave last (`served`), a member with another value (`altered`). */
function aboutRecord({ patient, text, beside }: Seen, handed: HandedOut) {
  const record = JSON.stringify(patient);
  // A page is a text; the record of a program has texts in it.
  const onScreen = typeof patient === 'string' ? patient : record;
  const all = `${record} ${text}`;
  return {
    hasRecord: 'yes',
    secretInRecord: secretIn(record, handed),
    altered: alteredMember(patient, handed.served),
    record: ownerOf(record),
    served: handed.served,
    spelling: spellingIn(all, handed.typed),
    version: versionIn(all),
    markup: markupIn(`${onScreen} ${text} ${beside ?? ''}`),
  };
}

const secretIn = (text: string, handed: HandedOut): string | undefined =>
  [...handed.secrets()].find(([value]) => text.includes(value))?.[1];

const given = (members: Readonly<Record<string, string | undefined>>): Values =>
  Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** Whether a text has the name of Alena as recorded, or as she typed it. */
function spellingIn(text: string, typed: readonly FormValues[]): 'typed' | 'recorded' | undefined {
  const has = (value: string) => text.toLowerCase().includes(value.toLowerCase());
  const { form, patient } = people.alena;
  if (!typed.some(({ surname }) => surname === form.surname)) return undefined;
  const isIn = (names: Names) => has(names.name) || has(names.surname);
  if (isIn(patient)) return 'recorded';
  return isIn(form) ? 'typed' : undefined;
}

function versionIn(text: string): 'first' | 'changed' | undefined {
  const has = ({ surname }: Names) => text.toLowerCase().includes(surname.toLowerCase());
  if (has(changedRecord)) return 'changed';
  return has(people.darya.patient) ? 'first' : undefined;
}

/** Names of reasons that no person writes, as they have an underscore. */
const REASONS = Object.keys(errorTable).filter((reason) => reason.includes('_'));

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
