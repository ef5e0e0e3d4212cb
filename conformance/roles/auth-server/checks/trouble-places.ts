/** The places of trouble with the EHR server: exchange tokens, reports, sign-ins of linked users. */

import { SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN } from '../../../engine/check/judging.ts';
import { claimsLink, type RedChange, succeeds } from '../../../engine/check/red-change.ts';
import type { Finding } from '../../../engine/check/verdict.ts';
import type { FaultName } from '../../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../../engine/journal/view.ts';
import type { Label } from '../flows/scenario.ts';
import {
  exchangeTokenTrouble,
  groupOf,
  REFUSED_GROUP,
  savedWithoutTrouble,
  saveTrouble,
} from '../flows/trouble/ehr-trouble.ts';
import { signInTrouble } from '../flows/trouble/sign-in-trouble.ts';
import { failures, refusals, signInRefusals, strangeReplies, troubleWords } from '../flows/trouble/troubles.ts';
import { savedAtSignIn, signedInAllTheSame } from './signed-in.ts';

/** One trouble at one place. */
export type Meeting = {
  /** kebab-case, as used in the ids of checks. */
  readonly id: string;
  /** A failure and a refusal must be told to the client; a strange reply may be understood or refused. */
  readonly kind: 'failure' | 'strange reply' | 'refusal';
  readonly fault: FaultName;
  /** What the EHR server does, in the words of titles. */
  readonly words: string;
  /** The same step without trouble. */
  readonly control: Label;
  readonly during: Label;
  /** The next attempt, without trouble; absent where none is played. */
  readonly afterwards?: Label;
  /** What the client tried with the session of a sign-in that succeeded. */
  readonly tried?: { reads: Label; linksAnew: Label };
};

export type Place = {
  readonly prefix: 'exchange' | 'save' | 'sign-in';
  /** The interrupted action, in the words of titles. */
  readonly what: string;
  readonly method: string;
  readonly scenario: { readonly id: string };
  readonly meetings: readonly Meeting[];
  /** What the client must be told, and how. */
  readonly expected: string;
  readonly advice: string;
  readonly surviveAdvice: string;
  /** Judges a step that succeeded although nothing was acknowledged; wrong unless given. */
  readonly success?: (journal: JournalView, played: PlayedStep, meeting: Meeting) => Finding;
  /** Judges the next attempt; its success is enough unless given. */
  readonly next?: (played: PlayedStep) => Finding;
  /** The change that makes a success during the trouble fail the check. */
  readonly redSuccess: (during: Label) => RedChange;
};

type Name = (typeof failures)[number] | (typeof strangeReplies)[number];

/** The meetings with all failures and strange replies. */
function withTroubles(labels: (name: Name) => Omit<Meeting, 'id' | 'kind' | 'fault' | 'words'>): Meeting[] {
  const row = (name: Name, kind: Meeting['kind']): Meeting => ({
    id: name,
    kind,
    fault: name,
    words: troubleWords[name],
    ...labels(name),
  });
  return [...failures.map((name) => row(name, 'failure')), ...strangeReplies.map((name) => row(name, 'strange reply'))];
}

/** The meetings with refusals. */
function withRefusals<R extends string>(
  rows: readonly { reason: R }[],
  labels: (reason: R) => Omit<Meeting, 'id' | 'kind' | 'fault' | 'words'>,
): Meeting[] {
  return rows.map(({ reason }) => ({
    id: reason.replaceAll('_', '-'),
    kind: 'refusal',
    fault: 'refuse',
    words: `answers ${reason}`,
    ...labels(reason),
  }));
}

const TELL_AN_ERROR =
  'When the EHR server gives no acknowledgement, answer the client with an error and give out nothing; set a timeout on the whole call.';

const { steps: exchange } = exchangeTokenTrouble;
const { steps: save } = saveTrouble;
const { steps: signIn } = signInTrouble;

const onExchange: Place = {
  prefix: 'exchange',
  what: 'an exchange token is saved',
  method: SAVE_EXCHANGE_TOKEN,
  scenario: exchangeTokenTrouble,
  meetings: [
    ...withTroubles((name) => ({
      control: exchange.control(groupOf(name)),
      during: exchange.during(name),
      afterwards: exchange.afterwards(name),
    })),
    ...withRefusals(refusals, (reason) => ({
      control: exchange.control(REFUSED_GROUP),
      during: exchange.refused(reason),
    })),
  ],
  expected: 'an error to the client',
  advice: TELL_AN_ERROR,
  surviveAdvice: 'Keep no state of a failed call: no broken connection, no half-made session, no lock.',
  redSuccess: succeeds,
};

const onSave: Place = {
  prefix: 'save',
  what: 'a session is saved',
  method: SAVE_AUTH_INFO,
  scenario: saveTrouble,
  meetings: [
    ...withTroubles((name) => ({
      control: savedWithoutTrouble,
      during: save.during(name),
      afterwards: save.afterwards(name),
    })),
    // For the server's own session token_already_stored is no failure: the save was executed before.
    ...withRefusals(
      refusals.filter(({ reason }) => reason !== 'token_already_stored'),
      (reason) => ({ control: savedWithoutTrouble, during: save.refused(reason) }),
    ),
  ],
  expected: 'an error to the client',
  advice: TELL_AN_ERROR,
  surviveAdvice:
    'Keep no state of a failed call. When the EHR server says token_already_stored of this very user and token, an earlier save of yours was carried out and its reply was lost: that is success.',
  redSuccess: succeeds,
};

const atSignIn = (name: Parameters<typeof signIn.during>[0]) => ({
  control: signIn.control,
  during: signIn.during(name),
  afterwards: signIn.afterwards(name),
  tried: { reads: signIn.reads(name), linksAnew: signIn.linksAnew(name) },
});

const onSignIn: Place = {
  prefix: 'sign-in',
  what: 'a linked user signs in',
  method: SAVE_AUTH_INFO,
  scenario: signInTrouble,
  meetings: [...withTroubles(atSignIn), ...withRefusals(signInRefusals, atSignIn)],
  expected: 'an error to the client, or a session that is not called linked and can be linked again',
  advice:
    'When the EHR server has not acknowledged save_auth_info, either answer the sign-in with an error, or open a session that is not linked and say so; set a timeout on the whole call.',
  surviveAdvice:
    'Keep no state of a failed call: the next sign-in of the user, with their user_sign, sends save_auth_info as if nothing had been.',
  success: (journal, played, { tried }) => signedInAllTheSame(journal, played, tried),
  next: savedAtSignIn,
  redSuccess: claimsLink,
};

export const places: readonly Place[] = [onExchange, onSave, onSignIn];
