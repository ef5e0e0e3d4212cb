/** Checks of a client whose call is disturbed: it must tell the person, claim no success, and lead on. */
import type { FlowCheck } from '../../../engine/check/flow.ts';
import { type Fault, isFault, type Steps } from '../../../engine/check/steps.ts';
import { type Trouble, troublesOf } from '../../../engine/wire/troubles.ts';
import type { Screen } from '../drivers/driver.ts';
import { CLIENT, type ClientFlow, fault, flow } from '../flow.ts';
import { people } from '../people/people.ts';
import { CALLS, exchangesIn, isSentence, screenOf, seenIn, seenValue } from '../seen.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import type { TroubleName } from '../servers/troubles.ts';
import { type ClientWorld, leadsTo, type PersonStep, tells } from '../world.ts';

const { darya } = people;

/** Troubles whose answer says nothing of a success, so that the client must not claim one. */
const SILENT = troublesOf(['http-500', 'reset', 'not-json', 'result-null', 'result-empty']);
/** Answers to a call that was carried out, which are not the reply to it. */
const NOT_OWN = troublesOf(['wrong-id', 'result-and-error']);
/** All troubles. In the last ones the call is carried out, so the client may find the success out later. */
const ALL = [...SILENT, ...NOT_OWN, ...troublesOf(['reply-lost', 'truncate'])];

const CONTROL = 'without trouble';

const idAt = (method: string) => `trouble-at-${(method.split('.')[1] ?? method).replaceAll('_', '-')}`;
const wayOnAfter = (id: string) => `the way on after ${id}`;

type TroubledPlace = {
  method: string;
  what: string;
  /** The screens to which the client goes only after a success of the method. */
  success: readonly Screen[];
  before?: (world: ClientWorld) => Promise<void>;
  act: (world: ClientWorld, label: string) => PersonStep;
  needsSignIn?: true;
  /** A client may make the call before the action. Where the step has no such call, it is not judged. */
  mayBeEarlier?: true;
  /** The client needs nothing of the result: null and an empty one are a success. */
  needsNoMember?: true;
};

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

/** Judges the flows of several places. The check belongs to the flow of the first one. */
const over = (
  places: readonly TroubledPlace[],
  troubles: readonly Trouble[],
  judge: (place: TroubledPlace, trouble: Trouble, steps: Steps) => Fault | undefined,
): Pick<FlowCheck, 'also' | 'labels' | 'settled'> => ({
  labels: 0,
  also: places.slice(1).map(({ method }) => ({ id: idAt(method) })),
  settled(all) {
    const judged = places.flatMap((place) => {
      const steps = all.in({ id: idAt(place.method) });
      return troubles.map((trouble) => {
        const met = steps.find(trouble.id) && steps.find(CONTROL);
        return { place, trouble, steps, found: met && judge(place, trouble, steps) };
      });
    });
    const faults = judged.flatMap(({ found, ...each }) => (found ? [{ ...each, found }] : []));
    if (faults.length > 0) return named(faults);
    for (const { steps, trouble } of judged) {
      // Ends the judgement where the step was not played.
      const control = steps.of(CONTROL);
      if (screenOf(control) !== 'patient')
        return { unclear: `the record was not read without trouble (${seenIn(control)})` };
      steps.of(trouble.id);
    }
    return undefined;
  },
});

function named(faults: readonly { place: TroubledPlace; trouble: Trouble; found: Fault }[]): Fault {
  const [first] = faults as [(typeof faults)[number]];
  const whats = [...new Set(faults.map(({ place }) => place.what))].map((what) => {
    const words = faults.filter(({ place }) => place.what === what).map(({ trouble }) => trouble.words);
    return `${what}: ${words.join(', ')}`;
  });
  return { ...first.found, actual: `${first.found.actual}; so after ${whats.join('; ')}` };
}

const [AT_REQUEST, ...AFTER_REQUEST] = PLACES as [TroubledPlace, ...TroubledPlace[]];

/** The key is the method of the flow. */
const CHECKS: Readonly<Record<string, Readonly<Record<string, FlowCheck>>>> = {
  'auth.request_otp': {
    'trouble-told': {
      title: 'When a call on the way to the record is disturbed, the person is told, and there is a way on',
      requirements: ['K-client-errors-told'],
      ...over(PLACES, ALL, toldAndLedOn),
      advice: 'Say that there was no usable answer, and offer to try again.',
    },
    'trouble-own-replies': {
      title: 'When a call gets the reply of another call, or one with an error, no success is shown',
      requirements: ['K-client-replies-of-own-calls'],
      ...over(PLACES, NOT_OWN, claimed),
      advice: 'Take a reply only when it has the id of the call, and a result without an error.',
    },
  },
  'auth.confirm_otp': {
    'trouble-claims-nothing': {
      title: 'When a call on the way to the record is disturbed, no success is shown',
      requirements: ['K-client-nothing-claimed'],
      ...over(AFTER_REQUEST, SILENT, claimed),
      advice: 'Take a reply only when it is JSON, has the id of the call and a result.',
    },
  },
  [EHR_METHODS.read]: {
    'no-form-without-answer': {
      title: 'The form is not shown where get_patient has no answer that can be read',
      requirements: ['K-client-form-when-needed'],
      advice:
        'Show the form after an error of get_patient alone; tell that there was no answer, and offer to try again.',
    },
  },
};
/** Troubles whose answer cannot be read as a JSON-RPC reply. */
const UNREADABLE = ['http-500', 'reset', 'not-json'];
const TOLD = tells([], { check: 'trouble-told' });
const LED_ON = leadsTo(['patient'], { check: 'trouble-told' });
const NO_FORM = leadsTo(['error', 'patient'], { check: 'no-form-without-answer' });

export const troubleFlows: readonly ClientFlow[] = PLACES.map(({ method, what, before, act, needsSignIn }) =>
  flow(idAt(method), {
    title: `In every way ${what} is disturbed`,
    async play(world) {
      await world.linked();
      await world.control(world.press(CONTROL, 'readPatient'), 'patient');
      for (const { id } of ALL) {
        const noForm = method === EHR_METHODS.read && UNREADABLE.includes(id) ? [NO_FORM] : [];
        if (needsSignIn) await world.signedOut();
        await before?.(world);
        await world.whileTroubled(method, id as TroubleName, () => act(world, id)(TOLD, ...noForm));
        await world.wayToRecord(wayOnAfter(id))(LED_ON);
      }
    },
    checks: CHECKS[method] ?? {},
  }),
);

function toldAndLedOn(place: TroubledPlace, trouble: Trouble, steps: Steps): Fault | undefined {
  const way = wayOnAfter(trouble.id);
  const found =
    CLIENT.unmet(steps.all(trouble.id), TOLD) ??
    (place === AT_REQUEST && SILENT.includes(trouble) ? claimed(place, trouble, steps) : undefined) ??
    (steps.of(way) && CLIENT.unmet(steps.all(way), LED_ON));
  return isFault(found) ? found : undefined;
}

/** The last record, or the screen of the code, with another text than usual claims no success. */
function claimed(
  { method, success, mayBeEarlier, needsNoMember }: TroubledPlace,
  { id, isEmpty, words }: Trouble,
  steps: Steps,
): Fault | undefined {
  const call = method.startsWith('auth.') ? `auth ${method}` : `ehr ${method}`;
  const played = steps.of(id);
  if (needsNoMember && isEmpty) return undefined;
  if (mayBeEarlier && exchangesIn([played], call).length === 0) return undefined;
  const asked = steps.own().find((step) => screenOf(step) === 'code');
  const usual = seenValue(call === CALLS.requestOtp && asked ? asked : steps.of(CONTROL), 'text');
  const isRecord = call === CALLS.read && screenOf(played) === 'patient';
  const text = seenValue(played, 'text') ?? '';
  const isTold = (isRecord || (call === CALLS.requestOtp && isSentence(text))) && text !== usual;
  // A record without any member, or none, is what the server gave.
  const isServed = isRecord && isEmpty && seenValue(played, 'record') === undefined;
  const isClaimed = !isTold && !isServed && success.some((screen) => screen === screenOf(played));
  // A client may read the record to find out what has become of its call to the EHR server.
  const telling = call.startsWith('ehr ') ? [call, CALLS.read] : [call];
  const answered = telling.some((each) =>
    exchangesIn([played], each).some((one) => one.fault === undefined && one.facts.reply !== undefined),
  );
  if (!isClaimed || answered) return undefined;
  return fault(`no success after ${words}`, seenIn(played), played);
}
