/** All scenarios, in the order in which they are played. */
import { expiredCode, guessedCodes, knownAndUnknown, supersededCode, wrongCodes } from './codes.ts';
import { duplicateToken, exchangeTokenTrouble, oddReplies, redirect, saveTrouble } from './ehr-trouble.ts';
import { crowd, firstLink, manyTokens, returningUser } from './linking.ts';
import type { Scenario } from './scenario.ts';
import { correspondence, deletion, logout, wrongSessions } from './sessions.ts';

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
];
