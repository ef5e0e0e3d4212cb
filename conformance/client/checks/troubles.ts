/** Answers that are late, lost, doubled, cut, no JSON or of another call: told, and survived. */

import type { Fault } from '../../checks/own-scenario.ts';
import type { PlayedStep } from '../../journal/view.ts';
import { troubleWords } from '../../scenarios/troubles.ts';
import {
  type ClientCheck,
  callsIn,
  check,
  type Expectation,
  exchangesIn,
  screenOf,
  seenIn,
  sees,
  told,
} from '../check.ts';
import type { Screen } from '../driver.ts';
import { EHR_METHODS } from '../messages.ts';
import { people } from '../people.ts';
import { type Callee, SENT_ELSEWHERE, type Trouble } from '../troubles.ts';
import type { World } from '../world.ts';

const { darya } = people;

/** Answers that acknowledge nothing. */
const SILENT = ['http-500', 'http-429', 'reset', 'not-json', 'wrong-id', 'result-null', 'array', 'redirect'] as const;
/** Answers after which the server has done the call. */
const DONE = ['late', 'reply-lost', 'truncate', 'doubled'] as const;
const ALL = [...SILENT, ...DONE] as const satisfies readonly Trouble['kind'][];

type Place = {
  to: Callee;
  method: string;
  what: string;
  /** The screens that only a success leads to. */
  success: readonly Screen[];
  /** Brings the person to the action. */
  before: (world: World) => Promise<void>;
  act: (world: World, label: string) => Promise<unknown>;
  needsSignIn?: true;
};

async function atCode(world: World): Promise<void> {
  const signIn = { do: 'signIn', phone: darya.signIn } as const;
  await world.mustSee('asks for a code', ['code'], (label) => world.act(label, signIn));
}

async function atForm(world: World): Promise<void> {
  await world.disconnectElsewhere(darya);
  await world.mustSee('reads the record', ['form'], (label) => world.press(label, 'readPatient'));
}

const nothing = async () => undefined;

const PLACES: readonly Place[] = [
  {
    to: 'auth',
    method: 'auth.request_otp',
    what: 'the request of a code',
    success: ['code'],
    before: nothing,
    act: (world, label) => world.act(label, { do: 'signIn', phone: darya.signIn }),
    needsSignIn: true,
  },
  {
    to: 'auth',
    method: 'auth.confirm_otp',
    what: 'the sign-in',
    success: ['form', 'patient'],
    before: atCode,
    act: (world, label) => world.enterCode(label),
    needsSignIn: true,
  },
  {
    to: 'ehr',
    method: EHR_METHODS.read,
    what: 'the reading of the record',
    success: ['patient', 'form'],
    before: nothing,
    act: (world, label) => world.press(label, 'readPatient'),
  },
  {
    to: 'auth',
    method: 'auth.exchange_token',
    what: 'the request of an exchange token',
    success: ['patient'],
    before: atForm,
    act: (world, label) => world.fillForm(label),
  },
  {
    to: 'ehr',
    method: EHR_METHODS.authenticate,
    what: 'authenticate',
    success: ['patient'],
    before: atForm,
    act: (world, label) => world.fillForm(label),
  },
];

export const troubleChecks: readonly ClientCheck[] = [
  ...PLACES.map(troublesAt),
  check({
    id: 'no-answer-told',
    title: 'A server that does not answer is told after a while, and the next action works',
    requirements: ['7-client-handles-errors'],
    expect: { 'no answer': told('error'), 'the way on': sees('patient') },
    async play(world) {
      await world.linked();
      world.trouble('ehr', EHR_METHODS.read, { kind: 'hang' });
      await world.press('no answer', 'readPatient');
      world.calm();
      await world.wayOn('the way on');
    },
    advice: 'Give every call a time after which it is told as failed.',
  }),
  check({
    id: 'no-redirect-followed',
    title: 'A call that is redirected to another address is not sent there',
    requirements: ['1-properties-straight-to-ehr'],
    expect: { 'the form is redirected': told('form', 'error'), 'the way on': sees('patient') },
    async play(world) {
      await world.signedIn();
      world.trouble('ehr', EHR_METHODS.authenticate, { kind: 'redirect' });
      await world.fillForm('the form is redirected');
      world.calm();
      await world.wayOn('the way on');
    },
    judge({ of, observed }) {
      if (observed(SENT_ELSEWHERE as never) === undefined) return undefined;
      const shownBy = [of('the form is redirected')];
      return { expected: 'no call to another address', actual: 'the form is sent there', shownBy };
    },
    advice: 'Do not follow redirects of a call: what it carries is for the server that you know.',
  }),
  check({
    id: 'report-made-up-for',
    title: 'A link that could not be reported is reported with the next action',
    requirements: ['1-auth-told-of-link'],
    expect: { 'the report fails': told(), 'the next action': sees('patient') },
    async play(world) {
      await world.signedIn();
      world.trouble('auth', 'auth.report_link', { kind: 'http-500' }, 2);
      await world.fillForm('the report fails');
      world.calm();
      await world.wayOn('the next action');
    },
    judge({ own }) {
      const reports = exchangesIn(own(), 'auth auth.report_link').filter(({ facts }) => facts.reply?.result);
      if (reports.length > 0) return undefined;
      return { expected: 'auth.report_link succeeds in the end', actual: 'it never does', shownBy: own().slice(-2) };
    },
    advice: 'Remember that the link is not reported, and report it until that has worked.',
  }),
  check({
    id: 'link-reported-after-lost-reply',
    title: 'A link whose reply was lost is reported as soon as the record shows it',
    requirements: ['1-auth-told-of-link'],
    expect: { 'the reply is lost': told(), 'the way on': sees('patient') },
    async play(world) {
      await world.signedIn();
      world.trouble('ehr', EHR_METHODS.authenticate, { kind: 'reply-lost' });
      await world.fillForm('the reply is lost');
      world.calm();
      await world.wayOn('the way on');
    },
    judge({ own }) {
      const reports = exchangesIn(own(), 'auth auth.report_link').filter(({ facts }) => facts.reply?.result);
      if (reports.length > 0) return undefined;
      return { expected: 'auth.report_link succeeds in the end', actual: 'it never does', shownBy: own().slice(-2) };
    },
    advice: 'After an authenticate without an answer, report the user_sign that get_patient shows.',
  }),
  check({
    id: 'hiccup-keeps-session',
    title: 'One failed connection does not end the session of the person',
    requirements: ['7-client-handles-errors'],
    expect: { 'a cut connection': told('error', 'patient'), 'reads again': sees('patient') },
    async play(world) {
      await world.linked();
      world.trouble('ehr', EHR_METHODS.read, { kind: 'reset' });
      await world.press('a cut connection', 'readPatient');
      world.calm();
      await world.press('reads again', 'readPatient');
    },
    judge({ of }) {
      const steps = [of('a cut connection'), of('reads again')];
      const again = callsIn(...steps).find((call) => call.startsWith('auth'));
      return again === undefined
        ? undefined
        : { expected: 'the session goes on', actual: `${again} is called`, shownBy: steps };
    },
    advice: 'Keep session and signature when a server is not reached; only its refusal ends them.',
  }),
  check({
    id: 'no-endless-exchange',
    title: 'A record that stays refused is told, and asked for a few times at most',
    requirements: ['DE-client-starts-exchange'],
    expect: {
      'stays refused': told('form', 'error', 'signedOut', 'patient'),
      'reads in vain': told('form', 'error', 'signedOut'),
    },
    async play(world) {
      await world.signedIn();
      world.trouble('ehr', EHR_METHODS.read, { kind: 'refuse', reason: 'not_authorized' }, MAX_REFUSALS);
      await world.fillForm('stays refused');
      await world.press('reads in vain', 'readPatient');
    },
    judge({ of }) {
      const steps = [of('stays refused'), of('reads in vain')];
      const calls = callsIn(...steps).length;
      if (calls <= MAX_CALLS) return undefined;
      return { expected: `${MAX_CALLS} calls at most`, actual: `${calls} calls`, shownBy: steps };
    },
    advice: 'After one exchange tell the person; do not ask again without them.',
  }),
];

/** More than a client that asks without end makes before it is judged. */
const MAX_REFUSALS = 1_000;
/** Twice what a right client calls for the two actions. */
const MAX_CALLS = 10;

/** The check of one method with every trouble. */
function troublesAt({ to, method, what, success, before, act, needsSignIn }: Place): ClientCheck {
  const expect: Record<string, Expectation> = Object.fromEntries(
    ALL.flatMap((kind) => [
      [kind, told()],
      [`the way on after ${kind}`, sees('patient')],
    ]),
  );
  return check({
    id: `trouble-at-${(method.split('.')[1] ?? method).replaceAll('_', '-')}`,
    title: `Whatever becomes of ${what} on the way is told, nothing is claimed, and there is a way on`,
    requirements: ['7-client-handles-errors', '2.1-id-sent'],
    control: { 'without trouble': sees('patient') },
    expect,
    async play(world) {
      await world.linked();
      await world.press('without trouble', 'readPatient');
      for (const kind of ALL) {
        if (needsSignIn) await world.signedOut();
        await before(world);
        world.trouble(to, method, { kind });
        await act(world, kind);
        world.calm();
        await world.wayOn(`the way on after ${kind}`);
      }
    },
    judge: ({ of }) => SILENT.flatMap((kind) => claimed(of(kind), kind, `${to} ${method}`, success) ?? [])[0],
    advice: 'Take a reply only when it is JSON, has the id of the call and a result; tell anything else.',
  });
}

/** A success that no answer has given. */
function claimed(
  played: PlayedStep,
  kind: Trouble['kind'],
  call: string,
  success: readonly Screen[],
): Fault | undefined {
  const isClaimed = success.some((screen) => screen === screenOf(played));
  const answered = exchangesIn([played], call).some(
    ({ fault, facts }) => fault === undefined && facts.reply !== undefined,
  );
  if (!isClaimed || answered) return undefined;
  const expected = `no success where the server ${troubleWords[kind]}`;
  return { expected, actual: seenIn(played), shownBy: [played] };
}
