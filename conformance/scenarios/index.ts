/** All scenarios, in the order in which they are played. */
import { codesAtOnce, guessesAtOnce, oneCodeAtOnce } from './at-once.ts';
import { certificates } from './certificates.ts';
import { expiredCode, guessedCodes, knownAndUnknown, supersededCode, wrongCodes } from './codes.ts';
import { deletionAtSignIn } from './deletion-at-sign-in.ts';
import { lockedPhone, spellings, twoSessions } from './devices.ts';
import { exchangeTokenTrouble, saveTrouble } from './ehr-trouble.ts';
import { foreignSign, keptAtLink, keptOverRestart } from './kept.ts';
import { linkedAnew } from './linked-anew.ts';
import { crowd, firstLink, manyTokens, returningUser } from './linking.ts';
import { asGet, malformed } from './malformed.ts';
import { oddCodes } from './odd-codes.ts';
import { duplicateToken, oddReplies, redirect } from './odd-replies.ts';
import { claimedAddresses, doubledMembers, oddRequests } from './odd-requests.ts';
import { phonesAtOnce, sameEnding } from './other-phone.ts';
import { othersSessions } from './others-sessions.ts';
import { gatewayTrouble, oneLostReply } from './repeats.ts';
import type { Scenario } from './scenario.ts';
import { flood, otherSpelling, pauses } from './sends.ts';
import { correspondence, deletion, logout, wrongSessions } from './sessions.ts';
import {
  deletionMeanwhile,
  logoutMeanwhile,
  oneCallHangs,
  oneSessionAtOnce,
  signInsAtOnce,
} from './sessions-at-once.ts';
import { severalPhones } from './several-phones.ts';
import { disconnectedElsewhere, signInTrouble } from './sign-in-trouble.ts';
import { signKeptInTrouble } from './sign-kept-in-trouble.ts';
import { exchangeTokenTime, sessionTime } from './time.ts';
import { whoseSession } from './whose-session.ts';

export const scenarios: readonly Scenario[] = [
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
