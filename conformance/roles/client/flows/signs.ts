/**
 * Finds the user_sign in the messages of a client, for the checks that judge it. A user_sign is the signature
 * that the EHR server gives for a link. The client reports it to the authorization server, and may keep it
 * and send it with a later sign-in. The journal masks it: `‹user-sign 1›`.
 */
import type { Fault } from '../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { type ClientSteps, exchangesIn, fault } from '../check.ts';
import { EHR_METHODS } from '../servers/calls.ts';

/** Calls as the journal names them: the server, a blank, the method. */
const CONFIRM = 'auth auth.confirm_otp';
export const REPORT = 'auth auth.report_link';
export const AUTHENTICATE = `ehr ${EHR_METHODS.authenticate}`;

type Judge = (steps: Pick<ClientSteps<string>, 'own' | 'all'>) => Fault | false;

/**
 * The masked user_sign in a body of the journal, under either of its names; undefined where there is none.
 */
export function signIn(body = ''): string | undefined {
  return /"(?:user_sign|userSign)"\s*:\s*"([^"]+)"/.exec(body)?.[1];
}

/** The masked user_sign that the last sign-in of these steps sent; undefined where it sent none. */
export function signSent(steps: readonly PlayedStep[]): string | undefined {
  const body = exchangesIn(steps, CONFIRM).at(-1)?.request.body ?? '';
  return /"ehr_user_sign"\s*:\s*"([^"]+)"/.exec(body)?.[1];
}

/** The masked user_sign that the EHR server gave in the last authenticate of these steps. */
export const signGiven = (steps: readonly PlayedStep[]) =>
  signIn(exchangesIn(steps, AUTHENTICATE).at(-1)?.response?.body);

/** Says, for a report, what a sign-in sent in place of the kept user_sign. */
const insteadOf = (sent: string | undefined) => (sent === undefined ? 'none is sent' : 'another is sent');

/** Creates a judge: the last sign-in of this label must send the user_sign of the newest link. */
export const ofNewestLink =
  (label: string): Judge =>
  ({ own, all }) => {
    const last = all(label).slice(-1);
    const sent = signSent(last);
    const isRight = sent !== undefined && sent === signGiven(own());
    return !isRight && fault('the user_sign of the link in auth.confirm_otp', insteadOf(sent), ...last);
  };

/** Requires that auth.report_link has succeeded at least once. */
export const reported: Judge = ({ own }) =>
  !exchangesIn(own(), REPORT).some(({ facts }) => facts.reply?.result) &&
  fault('auth.report_link succeeds in the end', 'it never does', ...own().slice(-2));
