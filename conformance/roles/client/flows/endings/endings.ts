/** Checks of a logout (§4.5), a disconnection and a deletion (§4.6): the EHR server comes first. */
import type { Fault, Steps } from '../../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { screens } from '../../drivers/driver.ts';
import { type ClientFlow, fault, flow } from '../../flow.ts';
import { people } from '../../people/people.ts';
import { KEPT, keptBeside } from '../../people/values-of-seen.ts';
import { CALLS, callsIn, screenOf, seenValue } from '../../seen.ts';
import { leadsTo } from '../../world.ts';
import { signSent } from '../linking.ts';
import { failingEndingFlows } from './failing-endings.ts';

const { logOut, disconnect, authLogout, deleteUser } = CALLS;

export const endingFlows: readonly ClientFlow[] = [
  flow('logout-ehr-first', {
    title: 'A logout calls the EHR server, and the authorization server only after its success',
    requirements: ['4.5-called-at-exit', '4.5-ehr-first'],
    judge: ({ of }) => notCalled(of('logs out'), logOut) ?? ehrFirst(of('logs out'), logOut, authLogout),
    advice: 'Call remove_auth_info, wait for its success, and call auth.logout then.',
    async play(world) {
      await world.linked();
      await world.press('logs out', 'logout')(leadsTo(['signedOut'], { check: 'logout-ehr-first' }));
    },
    checks: {
      'logout-at-both-servers': {
        title: 'A logout ends the session at the authorization server, too',
        requirements: ['K-client-ends-at-both'],
        judge: ({ of }) => notCalled(of('logs out'), authLogout),
        advice: 'Call auth.logout after remove_auth_info, where your authorization server has a logout.',
      },
    },
  }),
  flow('deletion-ehr-first', {
    title: 'Where a deletion calls both servers, the authorization server comes after a success of the other',
    requirements: ['4.6-ehr-first', '4.6-with-deletion'],
    judge({ of }) {
      const deletes = of('deletes the account');
      return notCalled(deletes, disconnect) ? undefined : ehrFirst(deletes, disconnect, deleteUser);
    },
    unshown: ({ of }) =>
      [disconnect, deleteUser].some((call) => notCalled(of('deletes the account'), call))
        ? 'the deletion does not call both servers, which is left to the client'
        : undefined,
    advice: 'Call remove_authentication, wait for its success, and call auth.delete_user then.',
    async play(world) {
      await world.linked();
      await world.press('deletes the account', 'deleteAccount')(
        leadsTo(screens, { check: 'deletion-ehr-first' }),
        leadsTo(['signedOut'], { check: 'deletion-at-both-servers' }),
      );
    },
    checks: {
      'deletion-at-both-servers': {
        title: 'A deletion of the account ends the link at the EHR server, too',
        requirements: ['K-client-ends-at-both'],
        judge: ({ of }) =>
          notCalled(of('deletes the account'), disconnect) ??
          notCalled(of('deletes the account'), deleteUser),
        advice:
          'Call remove_authentication before auth.delete_user: the link opens the record to nobody else.',
        // The person of the next deletion is linked already, where this one has left the link.
        explains: ['auth-server-fails-at-deletion'],
      },
    },
  }),
  flow('disconnect-alone', {
    title: 'The person can disconnect the record, keeps the account, and can connect it again',
    requirements: ['4.6-called-at-disconnect', '4.6-alone'],
    judge({ of }) {
      const disconnects = of('disconnects');
      const missing = notCalled(disconnects, disconnect);
      if (missing || !callsIn(disconnects).includes(deleteUser)) return missing;
      return fault(`no ${deleteUser}`, 'it is called', disconnects);
    },
    advice: 'Call remove_authentication alone, and delete nothing at the authorization server.',
    async play(world) {
      await world.linked();
      await world.leadsTo(world.press('disconnects', 'disconnect'), 'form', 'signedOut', 'error');
      await world.leadsTo(world.wayToRecord('connects again'), 'patient');
    },
  }),
  ...failingEndingFlows,
  flow('way-out-without-session', {
    title: 'A person whose session the EHR server does not know any more gets out all the same',
    requirements: ['K-client-errors-told'],
    advice: 'Tell that there is no session to end, and offer to leave the authorization server alone.',
    async play(world) {
      await world.linked();
      await world.disconnectElsewhere(people.darya);
      await world.tells(world.press('logs out', 'logout'));
      await world.tells(world.endBy('is out', 'logout'), 'signedOut');
    },
  }),
  flow('leaving-logs-out', {
    title: 'A client that is about to be unloaded logs the person out first',
    requirements: ['K-client-ends-at-both'],
    judge({ own, of }) {
      const leaving = own().find(({ step }) => step.step === 'leave');
      if (!leaving) return undefined;
      const calls = callsIn(leaving);
      const actual = `the calls are ${calls.join(', ') || 'none'}`;
      const cutBy = seenValue(leaving, 'cutBy');
      if (!calls.includes(logOut) && cutBy !== undefined)
        return {
          unclear: `the kit stopped the client, as the time of ${cutBy} was up: raise it`,
          blame: 'harness',
        };
      if (!calls.includes(logOut)) return fault(logOut, actual, leaving);
      // A client may also drop its session without a call: then no record comes back.
      const isOver = calls.includes(authLogout) || screenOf(of('opens it again')) !== 'patient';
      return isOver ? undefined : fault('auth.logout, too', actual, leaving);
    },
    advice: 'Call remove_auth_info at the end, in a way that the system does not cancel.',
    async play(world) {
      await world.linked();
      await world.leadsTo(world.press('reads the record', 'readPatient'), 'patient');
      await world.leave();
      await world.leadsTo(world.press('opens it again', 'readPatient'), 'signedOut', 'code', 'patient');
    },
  }),
];

function notCalled(played: PlayedStep, call: string): Fault | undefined {
  const calls = callsIn(played);
  if (calls.includes(call)) return undefined;
  return fault(call, calls.length === 0 ? 'nothing is called' : `the calls are ${calls.join(', ')}`, played);
}

function ehrFirst(played: PlayedStep, ehr: string, auth: string): Fault | undefined {
  const calls = callsIn(played);
  const done = played.exchanges.findIndex(
    ({ facts }, at) => calls[at] === ehr && facts.reply?.result === true,
  );
  const called = calls.indexOf(auth);
  if (called < 0 || (done >= 0 && done < called)) return undefined;
  return fault(`a success of ${ehr}, then ${auth}`, `the calls are ${calls.join(', ')}`, played);
}

const STORAGE = 'the storage afterwards';
/** How long (ms) after an ending the storage is looked at again: a client may write it with a delay. */
const LATER_MS = 2_000;

type Forgetting = {
  id: string;
  title: string;
  press: 'logout' | 'deleteAccount';
  mayStay: readonly string[];
};

const forgetting = ({ id, title, press, mayStay }: Forgetting): ClientFlow =>
  flow(id, {
    title,
    requirements: ['K-client-forgets'],
    judge(steps) {
      const after = [steps.of('reads afterwards'), steps.of('after a restart')];
      return nothingLeft(after) ?? stored(steps, steps.of('ends'), mayStay);
    },
    advice: 'Remove session, exchange token and record from memory and storage before the person is told.',
    async play(world) {
      await world.linked();
      await world.control(world.press('reads the record', 'readPatient'), 'patient');
      await world.leadsTo(world.press('ends', press), 'signedOut');
      await world.lookAtKept(STORAGE, LATER_MS);
      await world.leadsTo(world.press('reads afterwards', 'readPatient'), 'signedOut', 'error');
      await world.leadsTo(world.press('after a restart', 'restart'), 'signedOut', 'error', 'code');
    },
  });

export const forgettingFlows: readonly ClientFlow[] = [
  forgetting({
    id: 'logout-forgets',
    title: 'After a logout nothing of session and record is left, not even after a restart',
    press: 'logout',
    // A logout does not end the link: the user_sign opens the record at the next sign-in.
    mayStay: [KEPT.sign],
  }),
  forgetting({
    id: 'deletion-forgets',
    title: 'After a deletion nothing of session, link and record is left, not even after a restart',
    press: 'deleteAccount',
    mayStay: [],
  }),
  flow('disconnect-forgets', {
    title: 'After a disconnection the record is not shown, and its user_sign is neither kept nor sent',
    requirements: ['K-client-forgets'],
    judge(steps) {
      const [ended, again] = [steps.of('disconnects'), steps.of('signs in again')];
      const leftOver = shown([ended]) ?? stored(steps, ended, [KEPT.session, KEPT.exchangeToken]);
      if (leftOver || signSent([again]) === undefined) return leftOver;
      return fault('no user_sign of the former link', 'it is sent', again);
    },
    advice: 'Delete user_sign and record as soon as remove_authentication has succeeded.',
    async play(world) {
      await world.linked();
      await world.control(world.press('reads the record', 'readPatient'), 'patient');
      await world.leadsTo(world.press('disconnects', 'disconnect'), 'form', 'signedOut', 'error');
      await world.lookAtKept(STORAGE, LATER_MS);
      await world.signedOut();
      await world.leadsTo(world.signInAgain('signs in again'), 'form');
    },
  }),
];

export function nothingLeft(steps: readonly PlayedStep[]): Fault | undefined {
  return shown(steps) ?? asked(steps);
}

function shown(steps: readonly PlayedStep[]): Fault | undefined {
  const found = steps.find(({ result }) => result.kind === 'done' && result.values.hasRecord !== undefined);
  return found && fault('no record', 'a record is shown', found);
}

function asked(steps: readonly PlayedStep[]): Fault | undefined {
  const found = steps.find((played) => callsIn(played).includes(CALLS.read));
  return found && fault('no call with an ended session', 'the record is asked for', found);
}

/** Where the kit cannot look into the storage, screens and calls alone are judged. */
function stored({ observed }: Steps, ended: PlayedStep, mayStay: readonly string[]): Fault | undefined {
  const all = [seenValue(ended, 'kept'), observed(STORAGE)?.found];
  const leftOver = new Set(all.flatMap((kept) => keptBeside(String(kept ?? ''), mayStay)));
  if (leftOver.size === 0) return undefined;
  return fault('nothing of it is kept', `kept is ${[...leftOver].join(', ')}`, ended);
}
