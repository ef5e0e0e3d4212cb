/**
 * The promises of the interface as separate rules, each checked on the ledger directly. They name what is
 * broken and confirm the result of `linearize.ts` independently.
 */
import { type Call, type History, isOk, mayHaveWorked } from './history.ts';
import {
  couldEnd,
  couldOvertake,
  couldUnlink,
  endingsOf,
  holdersOf,
  isSessionCall,
  linksShown,
  numbersOf,
  type Of,
  of,
  openingsOf,
  pairs,
  reasonOf,
} from './questions.ts';

export type RuleViolation = {
  /** The stable name of the rule. */
  rule: string;
  /** What happened, in a sentence. */
  message: string;
  /** The calls that show it. */
  calls: Call[];
};

type Rule = (calls: readonly Call[]) => RuleViolation[];

/**
 * Lists every violation that the ledger alone proves. A call of unknown outcome is taken in whichever way
 * breaks nothing.
 */
export function violationsOf(history: History): RuleViolation[] {
  return rules.flatMap((rule) => rule(history.calls));
}

const usedTwice: Rule = (calls) =>
  numbersOf(calls, 'exchange').flatMap((exchange) => {
    const uses = of(calls, 'authenticate').filter((call) => call.exchange === exchange && isOk(call));
    return uses.length < 2
      ? []
      : [violation('exchange-token-used-twice', `exchange token x${exchange} was used ${uses.length} times`, uses)];
  });

/** A used exchange token is unknown from then on (§7). */
const usedIsUnknown: Rule = (calls) =>
  of(calls, 'authenticate').flatMap((use) =>
    isOk(use)
      ? of(calls, 'authenticate')
          .filter((later) => later.exchange === use.exchange && later.invoked > use.returned)
          .filter(({ outcome }) => outcome.kind === 'refused' && outcome.reason !== 'exchange_token_unknown')
          .map((later) =>
            violation('used-token-answered', `exchange token x${use.exchange} was used, and later not unknown`, [
              use,
              later,
            ]),
          )
      : [],
  );

const exchangeTokenLost: Rule = (calls) =>
  of(calls, 'saveExchangeToken')
    .filter(isOk)
    .flatMap((saved) => {
      const uses = of(calls, 'authenticate').filter(({ exchange }) => exchange === saved.exchange);
      return uses
        .filter((use) => use.invoked > saved.returned && reasonOf(use) === 'exchange_token_unknown')
        .filter((use) => !uses.some((other) => other.invoked < use.returned && mayHaveWorked(other)))
        .filter((use) => !couldEnd(calls, saved.token, saved.user, use.returned))
        .filter((use) => !couldOvertake(calls, saved, use.returned))
        .map((use) =>
          violation(
            'acknowledged-exchange-token-lost',
            `exchange token x${saved.exchange} was saved, and is not known`,
            [saved, use],
          ),
        );
    });

/**
 * A token is saved once or recorded once (decision 14), and once more each time that authenticate opens it
 * anew.
 */
const savedTwice: Rule = (calls) =>
  numbersOf(calls, 'token').flatMap((token) => {
    const saves = of(calls, 'saveAuthInfo').filter((call) => call.token === token && isOk(call));
    const users = new Set(saves.map(({ user }) => user));
    const last = Math.max(...saves.map(({ returned }) => returned));
    const endings = [...users].flatMap((user) => endingsOf(calls, token, user, last));
    return saves.length <= 1 + Math.min(endings.length, openingsOf(calls, token).length)
      ? []
      : [violation('token-saved-twice', `session token t${token} was saved ${saves.length} times as new`, saves)];
  });

/** One token had two holders, and no call in between can have ended a session. */
const tokenOfTwo: Rule = (calls) =>
  numbersOf(calls, 'token').flatMap((token) =>
    pairs(holdersOf(calls, token))
      .filter(([a, b]) => a.user !== b.user)
      .filter(
        ([a, b]) =>
          !couldEnd(calls, token, a.user, later(a.call, b.call)) &&
          !couldEnd(calls, token, b.user, later(a.call, b.call)),
      )
      .slice(0, 1)
      .map(([a, b]) =>
        violation('token-held-twice', `session token t${token} was held by u${a.user} and by u${b.user}`, [
          a.call,
          b.call,
        ]),
      ),
  );

/** One patient or one user had two links, and no call in between can have removed one. */
const linkedTwice: Rule = (calls) =>
  pairs(linksShown(calls))
    .filter(([a, b]) => (a.patient === b.patient) !== (a.user === b.user))
    .filter(
      ([a, b]) =>
        !couldUnlink(calls, a.user, later(a.call, b.call)) && !couldUnlink(calls, b.user, later(a.call, b.call)),
    )
    .slice(0, 1)
    .map(([a, b]) =>
      a.user === b.user
        ? violation('user-linked-twice', `user u${a.user} was linked to p${a.patient} and to p${b.patient}`, [
            a.call,
            b.call,
          ])
        : violation('patient-linked-twice', `patient p${a.patient} was linked to u${a.user} and to u${b.user}`, [
            a.call,
            b.call,
          ]),
    );

/** `not_authorized` for a session that was acknowledged before and that no call can have ended. */
const sessionLost: Rule = (calls) =>
  numbersOf(calls, 'token').flatMap((token) => {
    const holders = holdersOf(calls, token);
    return calls
      .filter((call) => isSessionCall(call) && call.token === token && reasonOf(call) === 'not_authorized')
      .flatMap((call) => {
        const { user } = call as Of<'getPatient'>;
        const holder = holders.find((held) => held.user === user && held.call.returned < call.invoked);
        if (!holder || couldEnd(calls, token, user, call.returned)) return [];
        return [
          violation('acknowledged-session-lost', `session t${token} of u${user} was acknowledged, and is not known`, [
            holder.call,
            call,
          ]),
        ];
      })
      .slice(0, 1);
  });

/** An ended session answers, although no authenticate can have opened it anew. */
const removalUndone: Rule = (calls) =>
  calls
    .filter((call) => (call.method === 'removeAuthInfo' || call.method === 'removeAuthentication') && isOk(call))
    .flatMap((removal) => {
      const { user, token } = removal as Of<'removeAuthInfo'>;
      const reopened = (until: number) =>
        openingsOf(calls, token).some((opening) => opening.returned > removal.invoked && opening.invoked < until);
      return calls
        .filter((call) => isSessionCall(call) && call.token === token && call.user === user)
        .filter((call) => isOk(call) && call.invoked > removal.returned && !reopened(call.returned))
        .slice(0, 1)
        .map((call) =>
          violation('acknowledged-removal-undone', `session t${token} of u${user} was ended, and answers`, [
            removal,
            call,
          ]),
        );
    });

const rules: readonly Rule[] = [
  usedTwice,
  usedIsUnknown,
  exchangeTokenLost,
  savedTwice,
  tokenOfTwo,
  linkedTwice,
  sessionLost,
  removalUndone,
];

function later(a: Call, b: Call): number {
  return Math.max(a.returned, b.returned);
}

function violation(rule: string, message: string, calls: Call[]): RuleViolation {
  return { rule, message, calls };
}
