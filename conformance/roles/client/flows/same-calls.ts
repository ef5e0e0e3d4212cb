/** Checks that the calls to the authorization server are the same whichever patient a user connects (§1). */
import { withoutMark } from '#protocol/wire/json.ts';
import type { Fault } from '../../../engine/check/steps.ts';
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { PHONE_IN_FORM } from '../drivers/driver.ts';
import { type ClientFlow, fault, flow } from '../flow.ts';
import { people } from '../people/people.ts';

const { darya, wilhelm } = people;
/** A value that differs between the first round and the third, such as a time, changes by itself. */
const ROUNDS = [
  ['the first patient', darya.form],
  ['another patient', wilhelm.form],
  ['the first patient again', darya.form],
] as const;

export const sameCallsFlows: readonly ClientFlow[] = [
  flow('same-calls-for-each-patient', {
    title: 'The authorization server gets the same calls of a user, whichever patient they connect',
    requirements: ['1-properties-not-to-auth', '1-properties-straight-to-ehr'],
    // Nobody has a second patient by the phone of the sign-in.
    needs: PHONE_IN_FORM,
    judge({ own }) {
      const notDone = own().find(({ result }) => result.kind === 'failed');
      // Calls that a round lacks may be those of a step that was not done.
      const found = difference(own(), { comparesMissing: notDone === undefined });
      if (found || !notDone) return found;
      return { unclear: `"${notDone.step.label}" could not be done`, shownBy: [notDone] };
    },
    advice:
      'Send to the authorization server what its methods need; what tells of the patient is for the EHR server.',
    async play(world) {
      for (const [label, form] of ROUNDS) {
        await world.act(`${label}: asks for a code`, { do: 'signIn', phone: darya.signIn })();
        await world.mustSee('enters the code', ['form'], () => world.enterCode(`${label}: signs in`));
        await world.leadsTo(world.fillForm(label, form), 'patient');
        await world.press(`${label}: reads`, 'readPatient')();
        await world.settled();
        await world.leadsTo(world.press(`${label}: logs out`, 'logout'), 'signedOut');
        await world.disconnectElsewhere(darya);
        await world.startOver();
      }
    },
  }),
];

/** The values of a message by their places, such as `the header user-agent` or `the member params.note`. */
type Places = ReadonlyMap<string, string>;

function difference(
  steps: readonly PlayedStep[],
  { comparesMissing }: { comparesMissing: boolean },
): Fault | undefined {
  const rounds = ROUNDS.map(([label]) => messagesOf(label, steps)) as [Messages, Messages, Messages];
  const [once, other, again] = rounds;
  const counters = countersIn(rounds);
  for (const [name, message] of once) {
    if (!comparesMissing && !(other.has(name) && again.has(name))) continue;
    const [differing, same] = [other.get(name)?.places ?? NOTHING, again.get(name)?.places ?? NOTHING];
    const place = differingPlace([message.places, differing, same], counters);
    if (place === undefined) continue;
    const actual = `${place} of ${name} depends on the patient`;
    return fault('the same for each patient', actual, message.step);
  }
  const extra = [...other].find(([name]) => !once.has(name) && !again.has(name));
  if (!extra || !comparesMissing) return undefined;
  const [name, { step }] = extra;
  return fault('the same calls for each patient', `${name} comes for one of them alone`, step);
}

type Messages = ReadonlyMap<string, { step: PlayedStep; places: Places }>;
const NOTHING: Places = new Map();

type ThreePlaces = readonly [Places, Places, Places];

/** A client may count calls to both servers, so a whole number that grows tells nothing of the patient. */
function countersIn(rounds: readonly [Messages, Messages, Messages]): ReadonlySet<string> {
  const counts = (messages: Messages, place: string) => {
    const values = [...messages.values()].flatMap(({ places }) => places.get(place) ?? []);
    return values.length > 1 && values.every((value, at) => isNext(value, values[at - 1]));
  };
  const [once] = rounds;
  const places = [...once.values()].flatMap((message) => [...message.places.keys()]);
  return new Set(places.filter((place) => rounds.every((messages) => counts(messages, place))));
}

const isNext = (value: string, before = '-1'): boolean =>
  /^\d{1,6}$/.test(value) && Number(value) > Number(before);

function messagesOf(round: string, steps: readonly PlayedStep[]): Messages {
  const counts = new Map<string, number>();
  const ofRound = steps.filter(({ step }) => step.label === round || step.label.startsWith(`${round}: `));
  return new Map(
    ofRound.flatMap((step) =>
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

/** Where the whole value changes in every round, its words are compared. */
function differingPlace(
  [once, other, again]: ThreePlaces,
  counters: ReadonlySet<string>,
): string | undefined {
  const names = [...new Set([...once.keys(), ...other.keys()])];
  return names.find((name) => {
    const [a, b, c] = [once.get(name), other.get(name), again.get(name)];
    if (a === c) return a !== b && !counters.has(name);
    const kept = new Set(wordsIn(c));
    return wordsIn(a).some((word) => kept.has(word) && !wordsIn(b).includes(word));
  });
}

/** Random numbers in hexadecimal digits share short pieces: such words count from a length on. */
const wordsIn = (value = ''): string[] =>
  (value.match(/[\p{L}\p{N}]{4,}/gu) ?? []).filter(
    (word) => word.length >= MIN_WORD_CHARS || /[^0-9a-f]/i.test(word),
  );
/** Hexadecimal digits that two random values hardly share: one in 16 million for six. */
const MIN_WORD_CHARS = 6;

/** Headers that follow from the body or the connection, and tell nothing more. */
const FOLLOWING = new Set(['content-length', 'connection', 'host']);

function placesOf({ request }: ExchangeEntry): Places {
  const places = new Map<string, string>([['the address', neutral(request.path)]]);
  for (const [name, value] of request.headers)
    if (!FOLLOWING.has(name.toLowerCase())) places.set(`the header ${name.toLowerCase()}`, neutral(value));
  for (const [name, value] of membersIn(request.body)) places.set(`the member ${name}`, neutral(value));
  return places;
}

function membersIn(body: string): [name: string, value: string][] {
  const within = (value: unknown, name: string): [string, string][] => {
    if (typeof value !== 'object' || value === null) return [[name, String(value)]];
    return Object.entries(value).flatMap(([key, member]) =>
      within(member, name === '' ? key : `${name}.${key}`),
    );
  };
  try {
    return within(JSON.parse(withoutMark(body)), '');
  } catch {
    return [['body', body]];
  }
}

const neutral = (text: string): string =>
  text.replace(/‹(session-token|exchange-token|user-sign|code|user) \d+›/g, '‹$1›');
