/**
 * Compares what the authorization server gets when different patients are connected by the same user (§1 rule
 * 3). Whatever depends on the patient tells of them, in whatever form: transliterated, cut, split, hashed.
 */

import type { Fault } from '../../../engine/check/steps.ts';
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { type ClientCheck, check, fault, sees, told } from '../check.ts';
import { people } from '../people/people.ts';
import type { ClientWorld } from '../world.ts';

const { darya, wilhelm } = people;
/** The patient of the first round comes again in the third: what changes by itself changes there, too. */
const ROUNDS = [
  ['the first patient', darya.form],
  ['another patient', wilhelm.form],
  ['the first patient again', darya.form],
] as const;
type Round = (typeof ROUNDS)[number][0];

export const sameCallsChecks: readonly ClientCheck[] = [
  check({
    id: 'same-calls-for-each-patient',
    title: 'The authorization server gets the same calls of a user, whichever patient they connect',
    requirements: ['1-properties-not-to-auth', '1-properties-straight-to-ehr'],
    expect: {
      'the first patient': sees('patient'),
      'another patient': sees('patient'),
      'the first patient again': sees('patient'),
      'the first patient: logs out': told('signedOut'),
      'another patient: logs out': told('signedOut'),
      'the first patient again: logs out': told('signedOut'),
    },
    async play(world) {
      const freely = world as ClientWorld;
      for (const [label, form] of ROUNDS) {
        await freely.act(`${label}: asks for a code`, { do: 'signIn', phone: darya.signIn });
        await world.mustSee('enters the code', ['form'], () => freely.enterCode(`${label}: signs in`));
        await world.fillForm(label, form);
        await freely.press(`${label}: reads`, 'readPatient');
        await world.settled();
        await world.press(`${label}: logs out`, 'logout');
        await world.disconnectElsewhere(darya);
        await world.startOver();
      }
    },
    judge: ({ own }) => difference(own()),
    advice:
      'Send to the authorization server what its methods need; what tells of the patient is for the EHR server.',
  }),
];

/** The values of a message by their places, such as "header user-agent" or "params.note". */
type Places = ReadonlyMap<string, string>;

function difference(steps: readonly PlayedStep[]): Fault | undefined {
  const [once, other, again] = ROUNDS.map(([label]) => messagesOf(label, steps)) as [
    Messages,
    Messages,
    Messages,
  ];
  for (const [name, message] of once) {
    const [differing, same] = [other.get(name)?.places ?? NOTHING, again.get(name)?.places ?? NOTHING];
    const place = differingPlace(message.places, differing, same);
    if (place === undefined) continue;
    const actual = `${place} of ${name} depends on the patient`;
    return fault('the same for each patient', actual, message.step);
  }
  const extra = [...other].find(([name]) => !once.has(name) && !again.has(name));
  if (!extra) return undefined;
  const [name, { step }] = extra;
  return fault('the same calls for each patient', `${name} comes for one of them alone`, step);
}

type Messages = ReadonlyMap<string, { step: PlayedStep; places: Places }>;
const NOTHING: Places = new Map();

/** The messages of a round to the authorization server, by method and number. */
function messagesOf(round: Round, steps: readonly PlayedStep[]): Messages {
  const counts = new Map<string, number>();
  const own = steps.filter(({ step }) => step.label === round || step.label.startsWith(`${round}: `));
  return new Map(
    own.flatMap((step) =>
      step.exchanges
        .filter(({ link }) => link === 'client->auth')
        .map((exchange) => {
          const method = exchange.facts.call?.method ?? 'a message';
          const count = (counts.get(method) ?? 0) + 1;
          counts.set(method, count);
          return [`${method} (call ${count})`, { step, places: placesOf(exchange) }] as const;
        }),
    ),
  );
}

/** A place whose value is the same for the same patient, and another for another. */
function differingPlace(once: Places, other: Places, again: Places): string | undefined {
  const names = [...new Set([...once.keys(), ...other.keys()])];
  return names.find((name) => {
    const [a, b, c] = [once.get(name), other.get(name), again.get(name)];
    if (a === c) return a !== b;
    const kept = new Set(wordsIn(c));
    return wordsIn(a).some((word) => kept.has(word) && !wordsIn(b).includes(word));
  });
}

/** The words of a value that are hardly there by chance; a number that is drawn has short pieces. */
const wordsIn = (value = ''): string[] =>
  (value.match(/[\p{L}\p{N}]{4,}/gu) ?? []).filter(
    (word) => word.length >= MIN_WORD_CHARS || /[^0-9a-f]/i.test(word),
  );
const MIN_WORD_CHARS = 6;

/** Headers that follow from the others, or from the connection. */
const FOLLOWING = new Set(['content-length', 'connection', 'host']);

function placesOf({ request }: ExchangeEntry): Places {
  const places = new Map<string, string>([['the address', neutral(request.path)]]);
  for (const [name, value] of request.headers)
    if (!FOLLOWING.has(name.toLowerCase())) places.set(`the header ${name.toLowerCase()}`, neutral(value));
  for (const [name, value] of membersIn(request.body)) places.set(`the member ${name}`, neutral(value));
  return places;
}

/** The members of a body, each with the names of those in which it stands. */
function membersIn(body: string): [name: string, value: string][] {
  const within = (value: unknown, name: string): [string, string][] => {
    if (typeof value !== 'object' || value === null) return [[name, String(value)]];
    return Object.entries(value).flatMap(([key, member]) =>
      within(member, name === '' ? key : `${name}.${key}`),
    );
  };
  try {
    return within(JSON.parse(body), '');
  } catch {
    return [['body', body]];
  }
}

/** Tokens, signatures and codes are new in each round; other texts keep their pseudonyms. */
const neutral = (text: string): string =>
  text.replace(/‹(session-token|exchange-token|user-sign|code|user) \d+›/g, '‹$1›');
