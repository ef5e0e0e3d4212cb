/** All scenarios. The first are started first, within the groups of `Flow.when`. */
import { gatewayFails } from './codes/gateway-fails.ts';
import { guessedCodes } from './codes/guessed-codes.ts';
import { knownAndUnknown, sameEnding } from './codes/known-and-unknown.ts';
import { guessesInSpelling, oddCodes, spellings } from './codes/odd-codes.ts';
import { expiredCode, flood, pauses, supersededCode } from './codes/over-time.ts';
import { severalPhones } from './codes/several-phones.ts';
import { wrongCodes } from './codes/wrong-codes.ts';
import type { Flow } from './flow.ts';
import { crowd, manyTokens } from './links/crowd.ts';
import { firstLink, longSigns } from './links/first-link.ts';
import { keptOverRestart } from './links/kept-over-restart.ts';
import { returningUser } from './links/returning-user.ts';
import { asGet } from './requests/as-get.ts';
import {
  guessesAtOnce,
  oneCodeAtOnce,
  oneSessionAtOnce,
  phonesAtOnce,
  signInsAtOnce,
} from './requests/at-once.ts';
import { doubledMembers } from './requests/doubled-members.ts';
import { claimedAddresses, malformed, oddRequests } from './requests/odd-requests.ts';
import { gatewayTrouble, oneLostReply } from './requests/repeats.ts';
import { againLater, deletion, logout } from './sessions/endings.ts';
import { deletionAtSignIn, deletionMeanwhile, logoutMeanwhile } from './sessions/meanwhile.ts';
import { othersSessions } from './sessions/others-sessions.ts';
import { exchangeTokenTime, sessionTime } from './sessions/session-time.ts';
import { correspondence, twoSessions, whoseSession } from './sessions/two-sessions.ts';
import { wrongSessions } from './sessions/wrong-sessions.ts';
import { certificates } from './trouble/certificates.ts';
import { disconnectedElsewhere } from './trouble/disconnected-elsewhere.ts';
import { oddReplies, redirect } from './trouble/odd-replies.ts';
import { exchangeTokenTrouble, saveTrouble } from './trouble/save-trouble.ts';

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
  oddReplies,
  redirect,
  crowd,
  oneCodeAtOnce,
  guessesAtOnce,
  oneSessionAtOnce,
  signInsAtOnce,
  logoutMeanwhile,
  deletionMeanwhile,
  twoSessions,
  spellings,
  oddCodes,
  pauses,
  flood,
  disconnectedElsewhere,
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
  deletionAtSignIn,
  againLater,
  longSigns,
  guessesInSpelling,
  gatewayFails,
];
