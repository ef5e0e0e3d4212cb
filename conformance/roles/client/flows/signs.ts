/** Finds the user_sign in the messages of a client. The journal masks it: `‹user-sign 1›`. */
import type { Fault } from '../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { type ClientSteps, exchangesIn, fault } from '../check.ts';
import { EHR_METHODS } from '../servers/calls.ts';

/** Calls as the journal names them: the server, a blank, the method. */
const CONFIRM = 'auth auth.confirm_otp';
export const REPORT = 'auth auth.report_link';
export const AUTHENTICATE = `ehr ${EHR_METHODS.authenticate}`;

type Judge = (steps: Pick<ClientSteps<string>, 'own' | 'all'>) => Fault | false;

export function signIn(body = ''): string | undefined {
  return /"(?:user_sign|userSign)"\s*:\s*"([^"]+)"/.exec(body)?.[1];
}

export function signSent(steps: readonly PlayedStep[]): string | undefined {
  const body = exchangesIn(steps, CONFIRM).at(-1)?.request.body ?? '';
  return /"ehr_user_sign"\s*:\s*"([^"]+)"/.exec(body)?.[1];
}

export const signGiven = (steps: readonly PlayedStep[]) =>
  signIn(exchangesIn(steps, AUTHENTICATE).at(-1)?.response?.body);

const insteadOf = (sent: string | undefined) => (sent === undefined ? 'none is sent' : 'another is sent');

export const ofNewestLink =
  (label: string): Judge =>
  ({ own, all }) => {
    const last = all(label).slice(-1);
    const sent = signSent(last);
    const isRight = sent !== undefined && sent === signGiven(own());
    return !isRight && fault('the user_sign of the link in auth.confirm_otp', insteadOf(sent), ...last);
  };

export const reported: Judge = ({ own }) =>
  !exchangesIn(own(), REPORT).some(({ facts }) => facts.reply?.result) &&
  fault('auth.report_link succeeds in the end', 'it never does', ...own().slice(-2));
