/**
 * Checks of a client whose call is disturbed: for each important method the kit plays every trouble, such as
 * a late answer, a lost answer, a cut answer, no JSON, or the reply of another call. The client must tell the
 * person, claim no success, and lead on. In `expect`, `sees(...)` names the screens to which a step may lead;
 * `told(...)` also requires a sentence there that says what is the matter, and without names it takes any
 * screen.
 */

import type { Check } from '../../../engine/check/check.ts';
import type { Fault } from '../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { troublesOf } from '../../../engine/wire/troubles.ts';
import {
  type ClientCheck,
  check,
  checkOf,
  each,
  exchangesIn,
  fault,
  isSentence,
  screenOf,
  seenIn,
  seenValue,
  sees,
  told,
} from '../check.ts';
import type { Screen } from '../drivers/driver.ts';
import { people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import type { TroubleName } from '../servers/troubles.ts';
import type { ClientWorld } from '../world.ts';

const { darya } = people;

/** Troubles whose answer says nothing of a success, so that the client must not claim one. */
const SILENT = [
  ...['http-500', 'http-429', 'reset', 'not-json', 'redirect'],
  ...['result-null', 'no-result', 'result-empty', 'array'],
] as const satisfies readonly TroubleName[];
/** Answers to a call that was carried out, which are not the reply to it. */
const NOT_OWN = ['wrong-id', 'result-and-error'] as const satisfies readonly TroubleName[];
/** Successes that carry nothing. */
const NOTHING: ReadonlySet<TroubleName> = new Set(['result-null', 'result-empty']);
/** Troubles in which the server carries the call out, so that the client may find the success out later. */
const DONE = ['late', 'reply-lost', 'truncate', 'doubled'] as const;
const ALL = [...SILENT, ...NOT_OWN, ...DONE] as const satisfies readonly TroubleName[];

/** The label of the step in which the record is read undisturbed. */
const CONTROL = 'without trouble';
const READ = `ehr ${EHR_METHODS.read}`;
const REQUEST = 'auth auth.request_otp';

/** The id of the scenario in which a method is disturbed. */
const idAt = (method: string) => `trouble-at-${(method.split('.')[1] ?? method).replaceAll('_', '-')}`;

/** The label of the steps by which the person goes on after a trouble. */
const wayOnAfter = <K extends TroubleName>(kind: K) => `the way on after ${kind}` as const;

/** A method that is disturbed, and the action of a person that calls it. */
type TroubledPlace = {
  method: string;
  /** The method in words, for the title. */
  what: string;
  /** The screens to which the client goes only after a success of the method. */
  success: readonly Screen[];
  /** Prepares the action, after the sign-out where one is needed. */
  before?: (world: ClientWorld) => Promise<void>;
  act: (world: ClientWorld, label: string) => Promise<unknown>;
  /** The person must be signed out first, as the action is a part of the sign-in. */
  needsSignIn?: true;
  /** A client may make the call before the action. Where the step has no such call, it is not judged. */
  mayBeEarlier?: true;
  /** The client needs nothing of the result: null and an empty one are a success. */
  needsNoMember?: true;
};

/** The five calls on the way to the record. Each gets a check of its own. */
const PLACES: readonly TroubledPlace[] = [
  {
    method: 'auth.request_otp',
    what: 'the request of a code',
    success: ['code'],
    act: (world, label) => world.act(label, { do: 'signIn', phone: darya.signIn }),
    needsSignIn: true,
    needsNoMember: true,
  },
  {
    method: 'auth.confirm_otp',
    what: 'the sign-in',
    success: ['form', 'patient'],
    before: (world) => world.askForCode(),
    act: (world, label) => world.enterCode(label),
    needsSignIn: true,
  },
  {
    method: EHR_METHODS.read,
    what: 'the reading of the record',
    // The form claims nothing. Whether it is shown without an answer is judged by `no-form-without-answer`.
    success: ['patient'],
    act: (world, label) => world.press(label, 'readPatient'),
  },
  {
    method: 'auth.exchange_token',
    what: 'the request of an exchange token',
    mayBeEarlier: true,
    success: ['patient'],
    before: (world) => world.formAgain(),
    act: (world, label) => world.fillForm(label),
  },
  {
    method: EHR_METHODS.authenticate,
    what: 'authenticate',
    success: ['patient'],
    before: (world) => world.formAgain(),
    act: (world, label) => world.fillForm(label),
  },
];

export const troubleChecks: readonly ClientCheck[] = PLACES.map(troublesAt);

/** Checks of what the person is told in the same scenarios, and of the way on. */
export const troublesTold: readonly Check[] = PLACES.map(({ method, what }) =>
  checkOf(idAt(method), {
    id: `${idAt(method)}-told`,
    title: `When ${what} is disturbed, the person is told, and there is a way on`,
    requirements: ['K-client-errors-told'],
    control: { [CONTROL]: sees('patient') },
    expect: { ...each(ALL, told()), ...each(ALL.map(wayOnAfter), sees('patient')) },
    advice: 'Say that there was no usable answer, and offer to try again.',
  }),
);

/** Creates the check that plays every trouble at one method. */
function troublesAt(place: TroubledPlace): ClientCheck {
  const { method, what, success, before, act, ...how } = place;
  const silent = SILENT.filter((kind) => !(how.needsNoMember && NOTHING.has(kind)));
  return check({
    id: idAt(method),
    title: `When ${what} is disturbed, no success is shown`,
    requirements: [method === 'auth.request_otp' ? 'K-client-errors-told' : 'K-client-nothing-claimed'],
    control: { [CONTROL]: sees('patient') },
    expect: {},
    async play(given) {
      const world = given as ClientWorld;
      await world.linked();
      await world.press(CONTROL, 'readPatient');
      for (const kind of ALL) {
        if (how.needsSignIn) await world.signedOut();
        await before?.(world);
        await world.amid(method, kind, () => act(world, kind));
        await world.wayOn(wayOnAfter(kind));
      }
    },
    // The labels of the troubles are not in `expect`.
    judge: ({ of, own }) => claimedAmid(place, silent, of as (label: string) => PlayedStep, own()),
    advice: 'Take a reply only when it is JSON, has the id of the call and a result.',
  });
}

/** Judge the same scenarios once more: what is not the reply to the call is no success. */
export const troublesByOwnReplies: readonly Check[] = PLACES.map((place) =>
  checkOf(idAt(place.method), {
    id: `${idAt(place.method)}-own-reply`,
    title: `When ${place.what} gets the reply of another call, or one with an error, no success is shown`,
    requirements: ['K-client-replies-of-own-calls'],
    control: { [CONTROL]: sees('patient') },
    judge: ({ of, own }) => claimedAmid(place, NOT_OWN, of, own()),
    advice: 'Take a reply only when it has the id of the call, and a result without an error.',
  }),
);

/** The first fault among steps in which a method is disturbed in these ways. */
function claimedAmid(
  { method, success, mayBeEarlier }: TroubledPlace,
  kinds: readonly TroubleName[],
  of: (label: string) => PlayedStep,
  own: readonly PlayedStep[],
): Fault | undefined {
  const call = method.startsWith('auth.') ? `auth ${method}` : `ehr ${method}`;
  const met = kinds.filter((kind) => !mayBeEarlier || exchangesIn([of(kind)], call).length > 0);
  const asked = own.find((step) => screenOf(step) === 'code');
  const usual = seenValue(call === REQUEST && asked ? asked : of(CONTROL), 'text');
  return met.flatMap((kind) => claimed(of(kind), kind, { call, success, usual }) ?? [])[0];
}

/** A call, the screens after its success, and their text where nothing is the matter. */
type ClaimedCall = { call: string; success: readonly Screen[]; usual: string | undefined };

/**
 * A fault where the screen claims a success that no undisturbed answer gave. The last record, or the screen
 * of the code, with another text than usual claims none: a client may tell there what has happened.
 */
function claimed(
  played: PlayedStep,
  kind: TroubleName,
  { call, success, usual }: ClaimedCall,
): Fault | undefined {
  const isRecord = call === READ && screenOf(played) === 'patient';
  const text = seenValue(played, 'text') ?? '';
  const isTold = isRecord || (call === REQUEST && isSentence(text));
  const isToldAbove = isTold && text !== usual;
  // A record without any member is what the server gave.
  const isEmpty = isRecord && kind === 'result-empty' && seenValue(played, 'record') === undefined;
  const isClaimed = !isToldAbove && !isEmpty && success.some((screen) => screen === screenOf(played));
  // A client may read the record to find out what has become of its call to the EHR server.
  const telling = call.startsWith('ehr ') ? [call, `ehr ${EHR_METHODS.read}`] : [call];
  const answered = telling.some((each) =>
    exchangesIn([played], each).some(({ fault, facts }) => fault === undefined && facts.reply !== undefined),
  );
  if (!isClaimed || answered) return undefined;
  const expected = `no success after ${troublesOf([kind])[0]?.words}`;
  return fault(expected, seenIn(played), played);
}
