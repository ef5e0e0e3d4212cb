/** All scenarios. The first are started first, within the groups of `Flow.when`. */

import { expiredCode } from './codes/expired-code.ts';
import { flood } from './codes/flood.ts';
import { gatewayFails } from './codes/gateway-fails.ts';
import { guessedCodes } from './codes/guessed-codes.ts';
import { guessesInSpelling } from './codes/guesses-in-spelling.ts';
import { knownAndUnknown } from './codes/known-and-unknown.ts';
import { oddCodes } from './codes/odd-codes.ts';
import { pauses } from './codes/pauses.ts';
import { phonesAtOnce } from './codes/phones-at-once.ts';
import { sameEnding } from './codes/same-ending.ts';
import { severalPhones } from './codes/several-phones.ts';
import { spellings } from './codes/spellings.ts';
import { supersededCode } from './codes/superseded-code.ts';
import { wrongCodes } from './codes/wrong-codes.ts';
import type { Flow } from './flow.ts';
import { crowd } from './links/crowd.ts';
import { deletionAtSignIn } from './links/deletion-at-sign-in.ts';
import { firstLink } from './links/first-link.ts';
import { keptOverRestart } from './links/kept-over-restart.ts';
import { longSigns } from './links/long-signs.ts';
import { manyTokens, oneSessionAtOnce } from './links/many-tokens.ts';
import { returningUser } from './links/returning-user.ts';
import { asGet } from './requests/as-get.ts';
import { claimedAddresses } from './requests/claimed-addresses.ts';
import { doubledMembers } from './requests/doubled-members.ts';
import { guessesAtOnce } from './requests/guesses-at-once.ts';
import { malformed } from './requests/malformed.ts';
import { oddRequests } from './requests/odd-requests.ts';
import { oneCodeAtOnce } from './requests/one-code-at-once.ts';
import { gatewayTrouble, oneLostReply } from './requests/repeats.ts';
import { againLater } from './sessions/again-later.ts';
import { correspondence } from './sessions/correspondence.ts';
import { deletion } from './sessions/deletion.ts';
import { deletionMeanwhile } from './sessions/deletion-meanwhile.ts';
import { exchangeTokenTime } from './sessions/exchange-token-time.ts';
import { logout } from './sessions/logout.ts';
import { logoutMeanwhile } from './sessions/logout-meanwhile.ts';
import { othersSessions } from './sessions/others-sessions.ts';
import { sessionTime } from './sessions/session-time.ts';
import { signInsAtOnce } from './sessions/sign-ins-at-once.ts';
import { twoSessions } from './sessions/two-sessions.ts';
import { whoseSession } from './sessions/whose-session.ts';
import { wrongSessions } from './sessions/wrong-sessions.ts';
import { certificates } from './trouble/certificates.ts';
import { disconnectedElsewhere } from './trouble/disconnected-elsewhere.ts';
import { exchangeTokenTrouble } from './trouble/exchange-token-trouble.ts';
import { oddReplies } from './trouble/odd-replies.ts';
import { redirect } from './trouble/redirect.ts';
import { saveTrouble } from './trouble/save-trouble.ts';

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
