/** Turns what a person saw in the client into values for the journal, which hold no value of a patient. */
import { isObject } from '#protocol/wire/envelope.ts';
import { errorTable } from '#protocol/wire/errors.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import { writeJson } from '#protocol/wire/json.ts';
import type { Values } from '../../../engine/journal/entry.ts';
import { findCanaries } from '../../../engine/journal/secrets/canaries.ts';
import { traceIn } from '../../../engine/journal/secrets/found/stack-traces.ts';
import type { Knowledge } from '../../../engine/journal/secrets/knowledge.ts';
import type { ClientDriver, FormValues, Kept, Seen } from '../drivers/driver.ts';
import type { ScenarioMemory } from '../servers/scenario-memory.ts';
import {
  changedRecord,
  markedRecord,
  markupIn,
  ownerOf,
  type PersonName,
  people,
  ROUNDED_CHART,
  sparseRecord,
} from './people.ts';

type Remembered = Pick<ScenarioMemory, 'typed' | 'served' | 'secrets'>;

/** The journal keeps this much of a screen's text: enough for a sentence of the report. */
const MAX_TEXT_CHARS = 300;

/** `handed`: the servers gave out a secret. `secret`, `raw` must not stand there. `named`: who stands there. */
export function valuesOf(seen: readonly Seen[], memory: Remembered): Values {
  const last = seen.at(-1) as Seen;
  const forms = [...memory.typed, ...Object.values(people).map(({ form }) => form)];
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
    missing: last.missing,
    all: seen.map(({ sees }) => sees).join(', '),
    handed: memory.secrets().size > 0 ? 'yes' : undefined,
    secret: secretIn(told, memory),
    raw: rawIn(last.text),
    named: ownerOf(`${told} ${writeJson(last.patient)}`),
    ...(last.patient !== undefined && aboutRecord(last, memory)),
  });
}

/** Whose record it is, whose the EHR server gave last (`served`), a member with another value (`altered`). */
function aboutRecord({ patient, text, beside }: Seen, memory: Remembered) {
  const record = writeJson(patient);
  // A page is a text; the record of a program has texts in it.
  const onScreen = typeof patient === 'string' ? patient : record;
  const all = `${record} ${text}`;
  return {
    hasRecord: 'yes',
    altered: alteredMember(patient, memory.served),
    record: ownerOf(record),
    served: memory.served,
    spelling: spellingIn(all, memory.typed),
    version: versionIn(all),
    markup: markupIn(`${onScreen} ${text} ${beside ?? ''}`),
  };
}

const TEXTS = ['name', 'surname', 'middleName', 'email', 'address', 'medcardNumber'] as const;

/** The first member shown with another value. A page tells the date of birth and a rounded number alone. */
function alteredMember(shown: unknown, served: PersonName | undefined): string | undefined {
  if (served === undefined) return undefined;
  if (writeJson(shown).replace(SEPARATORS, '').includes(ROUNDED_CHART)) return 'chart';
  if (!isObject(shown)) return dayIn(shown, people[served].patient);
  // Old or new is judged by another check.
  return unlessIn(versionsOf(served).map((record) => alteredIn(shown, record)));
}

/** The signs between groups of digits. */
const SEPARATORS = /(?<=\d)[\s.,'’](?=\d)/g;

const unlessIn = (members: readonly (string | undefined)[]): string | undefined =>
  members.includes(undefined) ? undefined : members[0];

const versionsOf = (person: PersonName): readonly Patient[] =>
  person === 'darya'
    ? [people.darya.patient, changedRecord, markedRecord, sparseRecord]
    : [people[person].patient];

function alteredIn(shown: Record<string, unknown>, record: Patient): string | undefined {
  const text = TEXTS.find(
    (member) => typeof shown[member] === 'string' && isOther(shown[member], record[member]),
  );
  if (text !== undefined) return text;
  if (typeof shown.gender === 'number' && shown.gender !== record.gender) return 'gender';
  const day = /^\d{4}-\d\d-\d\d/.exec(String(shown.birthdate))?.[0];
  return day !== undefined && day !== String(record.birthdate).slice(0, 10) ? 'birthdate' : undefined;
}

const DAY_MS = 86_400_000;

/** `birthdate` where a text has the day before or after the date of birth, and not the day itself. */
function dayIn(shown: unknown, { birthdate }: Patient): string | undefined {
  const at = Date.parse(String(birthdate));
  if (typeof shown !== 'string' || Number.isNaN(at)) return undefined;
  const has = (day: number) => datesOf(day).some((date) => shown.includes(date));
  return !has(at) && (has(at - DAY_MS) || has(at + DAY_MS)) ? 'birthdate' : undefined;
}

function datesOf(at: number): readonly string[] {
  const iso = new Date(at).toISOString().slice(0, 10);
  const [year, month, day] = iso.split('-').map(Number);
  return [iso, `${iso.slice(8)}.${iso.slice(5, 7)}.${year}`, `${month}/${day}/${year}`];
}

/** A part of the recorded text, such as the last digits of a number behind dots, is no other one. */
function isOther(shown: unknown, recorded: unknown): boolean {
  let rest = folded(recorded);
  return (folded(shown).match(/[\p{L}\p{N}]+/gu) ?? []).some((part) => {
    const at = rest.indexOf(part);
    rest = rest.slice(at + part.length);
    return at < 0;
  });
}

/** A text without the differences that do not count: case, blanks, signs without a shape, form of Unicode. */
const folded = (value: unknown): string =>
  String(value ?? '')
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .toLowerCase();

const secretIn = (text: string, memory: Remembered): string | undefined =>
  [...memory.secrets()].find(([value]) => text.includes(value))?.[1];

const given = (members: Readonly<Record<string, string | undefined>>): Values =>
  Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

type Names = Pick<FormValues, 'name' | 'surname'>;

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
  ['the lines of a stack', /Traceback \(|^\s{0,40}at .+:\d+/m],
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

/** Returns what stands in the texts, such as `surname in a cookie, a user_sign`; '' for nothing. */
export function keptIn(
  texts: readonly Kept[],
  { patientData, formsOf }: Pick<Knowledge, 'patientData' | 'formsOf'>,
  memory: ScenarioMemory,
): string {
  // Tokens and user_signs are the same set for both servers.
  const { session, exchangeTokens, signs } = memory.known('ehr');
  const sought = new Map([
    ...patientData,
    ...(session ? [[session.token, KEPT.session] as const] : []),
    ...[...exchangeTokens].map((token) => [token, KEPT.exchangeToken] as const),
    ...[...signs].map((sign) => [sign, KEPT.sign] as const),
  ]);
  const found = texts.flatMap(({ text, place }) =>
    findCanaries(text, [...sought.keys()], formsOf).map(({ value }) =>
      place === undefined ? sought.get(value) : `${sought.get(value)} in ${place}`,
    ),
  );
  return [...new Set(found)].join(', ');
}

/** The log and the storage are left out where the kit cannot look into them. */
export async function hiddenIn(
  driver: Pick<ClientDriver, 'logged' | 'kept'>,
  seen: readonly Seen[],
  knowledge: Pick<Knowledge, 'patientData' | 'formsOf'>,
  memory: ScenarioMemory,
): Promise<Values> {
  const named = (texts: readonly Kept[]) => keptIn(texts, knowledge, memory);
  const [logged, kept] = [driver.logged?.(), await driver.kept?.()];
  return {
    beside: named([{ text: seen.at(-1)?.beside ?? '' }]),
    ...(logged && { logged: named(logged.map((text) => ({ text }))) }),
    ...(kept && { kept: named(kept) }),
  };
}

export const KEPT = {
  session: 'the session token',
  exchangeToken: 'an exchange token',
  sign: 'a user_sign',
} as const;

/** Reads a list of {@link keptIn}, and leaves out the values that may stay, in whichever place. */
export const keptBeside = (kept: string | undefined, mayStay: readonly string[]): string[] =>
  (kept ?? '').split(', ').filter((each) => each !== '' && !mayStay.includes(each.replace(/ in an? .*/, '')));
