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

/**
 * The values of a step. `sees` is the last screen and `text` what stands there, `all` the screens of all
 * actions of the step; `handed` is 'yes' once the servers gave out a secret; `secret` and `raw` name what
 * ought not to stand there. A value that is undefined is left out.
 * @param seen what the person saw after each action of the step, in order; at least one
 * @param handed what the kit's servers gave out, and what was typed, so far
 */
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

/**
 * The values about a record on the screen: whose it is (`record`), whose the EHR server gave last (`served`),
 * a member with another value (`altered`), and which spelling and which version of a name it has.
 */
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

/** The kind of the first secret in a text, such as `a user_sign`; undefined where there is none. */
const secretIn = (text: string, handed: HandedOut): string | undefined =>
  [...handed.secrets()].find(([value]) => text.includes(value))?.[1];

const given = (members: Readonly<Record<string, string | undefined>>): Values =>
  Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/**
 * Whether a text has the name of Alena as the record has it, or as she typed it with another letter.
 * Undefined where she typed nothing, or no name of hers stands there.
 */
function spellingIn(text: string, typed: readonly FormValues[]): 'typed' | 'recorded' | undefined {
  const has = (value: string) => text.toLowerCase().includes(value.toLowerCase());
  const { form, patient } = people.alena;
  if (!typed.some(({ surname }) => surname === form.surname)) return undefined;
  const isIn = (names: Names) => has(names.name) || has(names.surname);
  if (isIn(patient)) return 'recorded';
  return isIn(form) ? 'typed' : undefined;
}

/** Whether a text has the surname of Darya before or after the change of her record; undefined: neither. */
function versionIn(text: string): 'first' | 'changed' | undefined {
  const has = ({ surname }: Names) => text.toLowerCase().includes(surname.toLowerCase());
  if (has(changedRecord)) return 'changed';
  return has(people.darya.patient) ? 'first' : undefined;
}

/** Names of reasons that no person writes, as they have an underscore. */
const REASONS = Object.keys(errorTable).filter((reason) => reason.includes('_'));

/** Texts of programs, with which a person can do nothing: the name for the report, and how it is found. */
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

/** The name of the first text of a program on a screen; undefined where there is none. */
function rawIn(text: string): string | undefined {
  const platform = traceIn(text);
  if (platform !== undefined) return `a stack of ${platform}`;
  return RAW.find(([, pattern]) => pattern.test(text))?.[0];
}
