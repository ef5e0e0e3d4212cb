/** Checks that nothing of an ended session, link or record is on the screen, in calls or in the storage. */
import type { Fault, Steps } from '../../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { type ClientFlow, callsIn, fault, flow, seenValue } from '../../flow.ts';
import { KEPT } from '../../kept.ts';
import { EHR_METHODS } from '../../servers/calls.ts';
import { signSent } from '../flow.ts';

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
    async play(world) {
      await world.linked();
      await world.ok(world.press('reads the record', 'readPatient'), 'patient');
      await world.sees(world.press('ends', press), 'signedOut');
      await world.lookAtKept(STORAGE, LATER_MS);
      await world.sees(world.press('reads afterwards', 'readPatient'), 'signedOut', 'error');
      await world.sees(world.press('after a restart', 'restart'), 'signedOut', 'error', 'code');
    },
    checks: {
      [id]: {
        title,
        requirements: ['K-client-forgets'],
        judge(steps) {
          const after = [steps.of('reads afterwards'), steps.of('after a restart')];
          return nothingLeft(after) ?? stored(steps, steps.of('ends'), mayStay);
        },
        advice:
          'Remove session, exchange token and record from memory and storage before the person is told.',
      },
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
    async play(world) {
      await world.linked();
      await world.ok(world.press('reads the record', 'readPatient'), 'patient');
      await world.sees(world.press('disconnects', 'disconnect'), 'form', 'signedOut', 'error');
      await world.lookAtKept(STORAGE, LATER_MS);
      await world.signedOut();
      await world.sees(world.signInAgain('signs in again'), 'form');
    },
    checks: {
      'disconnect-forgets': {
        title: 'After a disconnection the record is not shown, and its user_sign is neither kept nor sent',
        requirements: ['K-client-forgets'],
        judge(steps) {
          const [ended, again] = [steps.of('disconnects'), steps.of('signs in again')];
          const leftOver = shown([ended]) ?? stored(steps, ended, [KEPT.session, KEPT.exchangeToken]);
          if (leftOver || signSent([again]) === undefined) return leftOver;
          return fault('no user_sign of the former link', 'it is sent', again);
        },
        advice: 'Delete user_sign and record as soon as remove_authentication has succeeded.',
      },
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
  const found = steps.find((played) => callsIn(played).includes(`ehr ${EHR_METHODS.read}`));
  return found && fault('no call with an ended session', 'the record is asked for', found);
}

/** Where the kit cannot look into the storage, screens and calls alone are judged. */
function stored({ observed }: Steps, ended: PlayedStep, mayStay: readonly string[]): Fault | undefined {
  const soon = seenValue(ended, 'kept') ?? '';
  const later = String(observed(STORAGE)?.found ?? '');
  const found = [...soon.split(', '), ...later.split(', ')];
  const leftOver = found.filter((name) => name !== '' && !mayStay.includes(name));
  if (leftOver.length === 0) return undefined;
  return fault('nothing of it in the storage', `it has ${[...new Set(leftOver)].join(', ')}`, ended);
}
