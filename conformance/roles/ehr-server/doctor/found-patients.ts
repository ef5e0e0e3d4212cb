/** Looks whether an EHR server finds the patients of the file, and tells whose fault it is where not. */
import { ScenarioStopped } from '../../../engine/check/scenario-stopped.ts';
import { describe } from '../../../engine/journal/describe-result.ts';
import type { KnownPerson } from '../settings.ts';
import type { Called } from '../world/calls.ts';
import { propertiesOf } from '../world/patients.ts';
import { type EhrWorld, NotPlayable } from '../world/world.ts';
import { type Finding, faultOfServer, isRefusedFor } from './channels.ts';

type Form = (person: KnownPerson) => Record<string, unknown>;

const FORMS: Readonly<Record<string, Form>> = {
  'without the gender': ({ gender: _gender, ...person }) => propertiesOf(person),
  'with the day alone as date': (person) => ({ ...propertiesOf(person), date: person.date }),
  'with an ISO 8601 date': (person) => ({ ...propertiesOf(person), date: `${person.date}T00:00:00.000Z` }),
  // A server that turns the date to another time zone takes midnight for the day before.
  'with noon as the time of day': (person) => ({
    ...propertiesOf(person),
    date: `${person.date} 12:00:00.000`,
  }),
  'with a plus before the phone': (person) => ({
    ...propertiesOf(person),
    phone: `+${person.phone.replace(/^\+/, '')}`,
  }),
};

const MIN_FOUND = 3;

type Missed = { number: number; person: KnownPerson; result: Called['result'] };

export async function everyPatient(world: EhrWorld): Promise<Finding> {
  const { matching } = world.settings.people;
  const missed: Missed[] = [];
  let differing: string | undefined;
  try {
    for (const [index, person] of matching.entries()) {
      const number = index + 1;
      const { result } = await world.signIn(`authenticate person ${number}`, { person });
      if (result.kind === 'done') continue;
      const isOfLink = isRefusedFor(result, 'patient_already_linked');
      const form = isOfLink ? undefined : await otherForm(world, number, person);
      if (form === undefined) missed.push({ number, person, result });
      else differing ??= `${form} (whole: ${describe(result)})`;
    }
  } catch (error) {
    if (error instanceof ScenarioStopped) return faultOfServer(error.message);
    // What the kit cannot play with this file is no fault of the server's patients.
    if (!(error instanceof NotPlayable)) throw error;
  }
  const [first] = missed;
  if (first) return notFound(world, missed, first);
  const count = `${matching.length} of ${matching.length}`;
  if (differing === undefined) return { found: count };
  return {
    found: `${count}; some only ${differing}: a fault of the server, which is judged; the kit prepares its checks so`,
  };
}

async function otherForm(world: EhrWorld, number: number, person: KnownPerson): Promise<string | undefined> {
  for (const [words, form] of Object.entries(FORMS)) {
    const label = `authenticate person ${number} ${words}`;
    const { result } = await world.signIn(label, { person }, { properties: form(person) });
    if (result.kind !== 'done') continue;
    world.parts.dialect.properties = form;
    return words;
  }
  return undefined;
}

function notFound({ parts }: EhrWorld, missed: readonly Missed[], { number, result }: Missed): Finding {
  if (isRefusedFor(result, 'patient_already_linked'))
    return {
      found: `person ${number} of people.matching: ${describe(result)}`,
      remedy: 'The patient is linked to a user already: remove that link, or start with an empty database.',
    };
  const all = parts.settings.people.matching.length;
  const left = all - missed.length;
  const numbers = missed.map((each) => each.number).join(', ');
  const found = `${left} of ${all}; person ${numbers} of people.matching: ${describe(result)}`;
  if (missed.every((each) => each.result.kind === 'failed')) return faultOfServer(found);
  if (left >= MIN_FOUND) {
    for (const { person } of missed) parts.patients.retire(person);
    return { found: `${found}${alike(missed)}. The others are judged` };
  }
  const isRefused = result.kind === 'refused' && !isRefusedFor(result, 'patient_not_matched');
  return {
    found: `${found}${alike(missed)}`,
    remedy: isRefused
      ? 'The server refuses the call itself, in each form that the kit tried: look into its log for what it lacks. Where a run found that links stay, its patients are linked still: empty the database first.'
      : 'Load the patients that the file names, or name patients whom the server has. Each needs name, surname, date and phone as the record has them.',
  };
}

function alike(missed: readonly Missed[]): string {
  for (const [index, { number, person }] of missed.entries())
    for (const other of missed.slice(index + 1)) {
      const names = (['name', 'surname', 'date', 'phone', 'gender'] as const).filter(
        (name) => person[name] !== other.person[name],
      );
      if (names.length <= 2)
        return `. Persons ${number} and ${other.number} differ in ${names.join(' and ')} alone: a server that ignores this finds two patients`;
    }
  return '';
}
