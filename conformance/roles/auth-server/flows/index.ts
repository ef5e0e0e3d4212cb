/** All scenarios. The first are started first, within the groups of `Flow.when`. */
import { gatewayFails } from './codes/gateway-fails.ts';
import { claimedAddresses, guessedCodes } from './codes/guessed-codes.ts';
import { knownAndUnknown } from './codes/known-and-unknown.ts';
import { oddCodes } from './codes/odd-codes.ts';
import { expiredCode, flood, pauses, supersededCode } from './codes/over-time.ts';
import { sameEnding, severalPhones } from './codes/several-phones.ts';
import { guessesInSpelling, spellings } from './codes/spellings.ts';
import { wrongCodes } from './codes/wrong-codes.ts';
import type { Flow } from './flow.ts';
import { correspondence } from './links/correspondence.ts';
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
import { malformed, oddRequests } from './requests/odd-requests.ts';
import { gatewayTrouble, oneLostReply } from './requests/repeats.ts';
import { againLater, deletion, logout } from './sessions/endings.ts';
import { deletionAtSignIn, deletionMeanwhile, logoutMeanwhile } from './sessions/meanwhile.ts';
import { othersSessions } from './sessions/others-sessions.ts';
import { exchangeTokenTime, sessionTime } from './sessions/session-time.ts';
import { twoSessions } from './sessions/two-sessions.ts';
import { whoseSession } from './sessions/whose-session.ts';
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
