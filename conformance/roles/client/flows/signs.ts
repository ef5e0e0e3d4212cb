/** Which user_sign a client was given, reports, and sends with a sign-in. */
import type { Fault } from '../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { type ClientSteps, exchangesIn, fault } from '../check.ts';
import { EHR_METHODS } from '../servers/calls.ts';

export const CONFIRM = 'auth auth.confirm_otp';
export const REPORT = 'auth auth.report_link';
export const AUTHENTICATE = `ehr ${EHR_METHODS.authenticate}`;

type Judge = (steps: Pick<ClientSteps<string>, 'own' | 'all'>) => Fault | false;

/** The signature in a message of the journal, as its pseudonym. */
export function signIn(body = ''): string | undefined {
  return /"(?:user_sign|userSign)"\s*:\s*"([^"]+)"/.exec(body)?.[1];
}

/** The signature that the last sign-in of these steps carried. */
export function signSent(steps: readonly PlayedStep[]): string | undefined {
  const body = exchangesIn(steps, CONFIRM).at(-1)?.request.body ?? '';
  return /"ehr_user_sign"\s*:\s*"([^"]+)"/.exec(body)?.[1];
}

/** The signature of the newest link of these steps. */
export const signGiven = (steps: readonly PlayedStep[]) =>
  signIn(exchangesIn(steps, AUTHENTICATE).at(-1)?.response?.body);

/** What went along in place of the kept user_sign. */
export const insteadOf = (sent: string | undefined) =>
  sent === undefined ? 'none is sent' : 'another is sent';

/** Requires that the last sign-in of this label carries the user_sign of the newest link. */
export const ofNewestLink =
  (label: string): Judge =>
  ({ own, all }) => {
    const last = all(label).slice(-1);
    const sent = signSent(last);
    const isRight = sent !== undefined && sent === signGiven(own());
    return !isRight && fault('the user_sign of the link in auth.confirm_otp', insteadOf(sent), ...last);
  };

/** Requires that the last sign-in of this label carries a user_sign. */
export const withSign =
  (label: string): Judge =>
  ({ all }) => {
    const last = all(label).slice(-1);
    return (
      signSent(last) === undefined && fault('the kept user_sign in auth.confirm_otp', 'none is sent', ...last)
    );
  };

/** Requires that a report of the link has succeeded. */
export const reported: Judge = ({ own }) =>
  !exchangesIn(own(), REPORT).some(({ facts }) => facts.reply?.result) &&
  fault('auth.report_link succeeds in the end', 'it never does', ...own().slice(-2));
