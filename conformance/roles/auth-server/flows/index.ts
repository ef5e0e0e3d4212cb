/** All scenarios, in the order in which they are played. */

import { lockedPhone, spellings, twoSessions } from './codes/devices.ts';
import { expiredCode } from './codes/expired-code.ts';
import { flood } from './codes/flood.ts';
import { guessedCodes } from './codes/guessed-codes.ts';
import { knownAndUnknown } from './codes/known-and-unknown.ts';
import { oddCodes } from './codes/odd-codes.ts';
import { otherSpelling } from './codes/other-spelling.ts';
import { pauses } from './codes/pauses.ts';
import { phonesAtOnce } from './codes/phones-at-once.ts';
import { sameEnding } from './codes/same-ending.ts';
import { severalPhones } from './codes/several-phones.ts';
import { supersededCode } from './codes/superseded-code.ts';
import { wrongCodes } from './codes/wrong-codes.ts';
import type { Flow } from './flow.ts';
import { deletionAtSignIn } from './links/deletion-at-sign-in.ts';
import { foreignSign, keptAtLink, keptOverRestart } from './links/kept.ts';
import { linkedAnew } from './links/linked-anew.ts';
import { crowd, firstLink, manyTokens, returningUser } from './links/linking.ts';
import { claimedAddresses } from './requests/claimed-addresses.ts';
import { codesAtOnce } from './requests/codes-at-once.ts';
import { doubledMembers } from './requests/doubled-members.ts';
import { guessesAtOnce } from './requests/guesses-at-once.ts';
import { asGet, malformed } from './requests/malformed.ts';
import { oddRequests } from './requests/odd-requests.ts';
import { oneCodeAtOnce } from './requests/one-code-at-once.ts';
import { gatewayTrouble, oneLostReply } from './requests/repeats.ts';
import { othersSessions } from './sessions/others-sessions.ts';
import { correspondence, deletion, logout, wrongSessions } from './sessions/sessions.ts';
import {
  deletionMeanwhile,
  logoutMeanwhile,
  oneCallHangs,
  oneSessionAtOnce,
  signInsAtOnce,
} from './sessions/sessions-at-once.ts';
import { exchangeTokenTime, sessionTime } from './sessions/time.ts';
import { whoseSession } from './sessions/whose-session.ts';
import { certificates } from './trouble/certificates.ts';
import { exchangeTokenTrouble, saveTrouble } from './trouble/ehr-trouble.ts';
import { duplicateToken, oddReplies, redirect } from './trouble/odd-replies.ts';
import { disconnectedElsewhere, signInTrouble } from './trouble/sign-in-trouble.ts';
import { signKeptInTrouble } from './trouble/sign-kept-in-trouble.ts';

export const scenarios: readonly Flow[] = [
  firstLink,
  returningUser,
  manyTokens,
  wrongCodes,
  supersededCode,
  expiredCode,
  guessedCodes,
  knownAndUnknown,
  wrongSessions,
  logout,
  deletion,
  correspondence,
  exchangeTokenTrouble,
  saveTrouble,
  duplicateToken,
  oddReplies,
  redirect,
  crowd,
  oneCodeAtOnce,
  guessesAtOnce,
  codesAtOnce,
  oneSessionAtOnce,
  signInsAtOnce,
  logoutMeanwhile,
  deletionMeanwhile,
  oneCallHangs,
  twoSessions,
  spellings,
  lockedPhone,
  oddCodes,
  pauses,
  otherSpelling,
  flood,
  signInTrouble,
  disconnectedElsewhere,
  keptAtLink,
  foreignSign,
  gatewayTrouble,
  oneLostReply,
  keptOverRestart,
  whoseSession,
  sessionTime,
  exchangeTokenTime,
  oddRequests,
  doubledMembers,
  claimedAddresses,
  certificates,
  severalPhones,
  sameEnding,
  phonesAtOnce,
  malformed,
  asGet,
  othersSessions,
  signKeptInTrouble,
  deletionAtSignIn,
  linkedAnew,
];
