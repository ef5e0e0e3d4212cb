import fc from 'fast-check';
import { expect } from 'vitest';
import { errorTable, type Reason } from '#protocol/wire/errors.ts';
import { proves } from '#testing/proves.ts';
import type { Call, Outcome } from '../calls.ts';
import { next } from './machine.ts';
import { snapshotOf } from './memory.ts';
import type { UserEvent } from './state.ts';
import { CANARIES, cardDraft, draft, refused, results, userEvents, type Walk, walk } from './testing/walk.ts';

/** Everything that a user may do at any moment, sensible or not. */
const acts: UserEvent[] = [
  ...Object.values(userEvents),
  { type: 'form_submitted', draft: cardDraft, at: 599_999 },
  { type: 'form_submitted', draft, at: 600_000 },
  { type: 'ending_asked', ending: 'disconnect' },
  { type: 'ending_asked', ending: 'delete' },
];

type Move =
  | { do: 'act'; event: UserEvent }
  | { do: 'succeed' }
  | { do: 'refuse'; reason: Reason; ehr: Reason }
  | { do: 'break'; kind: 'unreachable' | 'timeout' | 'nonsense' }
  | { do: 'reload' };

const reason = fc.constantFrom(...(Object.keys(errorTable) as Reason[]));
const kind = fc.constantFrom('unreachable', 'timeout', 'nonsense');
const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...acts).map((event): Move => ({ do: 'act', event })) },
    { weight: 8, arbitrary: fc.constant<Move>({ do: 'succeed' }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('refuse' as const), reason, ehr: reason }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('break' as const), kind }) },
    { weight: 1, arbitrary: fc.constant<Move>({ do: 'reload' }) },
  ),
  { minLength: 1, maxLength: 80 },
);

/** Reaching a record takes several lucky moves, so every walk begins with some part of this one. */
const toRecord: Move[] = [
  { do: 'act', event: userEvents.attribute_submitted },
  { do: 'succeed' },
  { do: 'act', event: userEvents.code_submitted },
  { do: 'succeed' },
  { do: 'refuse', reason: 'not_authorized', ehr: 'not_authorized' },
  { do: 'act', event: userEvents.form_submitted },
  { do: 'succeed' },
];
const walks = fc
  .tuple(fc.nat(toRecord.length), moves)
  .map(([begun, rest]) => [...toRecord.slice(0, begun), ...rest]);

/** The token expired, and the authorization server refuses the next with a reason of the EHR server. */
const tokenRefusedAsMatch: Move[] = [
  ...toRecord,
  { do: 'refuse', reason: 'parse_error', ehr: 'parse_error' },
  { do: 'act', event: { type: 'form_submitted', draft, at: 600_000 } },
  { do: 'refuse', reason: 'patient_not_matched', ehr: 'parse_error' },
];

type Look = {
  /** Sees each reply before the machine does. */
  outcome?: (call: Call, outcome: Outcome) => void;
  /** Sees the state after each move, and the calls that the move sent. */
  after: (visit: Walk, sent: Call[]) => void;
};

/** Plays many walks, each with a look of its own at them. */
function holdsOnEachWalk(lookAtOne: () => Look, runs: number, example?: Move[]): void {
  fc.assert(
    fc.property(walks, (script) => play(script, lookAtOne())),
    { numRuns: runs, examples: example ? [[example]] : [] },
  );
}

/** Plays the moves in turn. */
function play(script: Move[], look: Look): void {
  const visit = walk();
  let tokens = 0;
  for (const move of script) {
    const before = visit.calls().length;
    const waiting = visit.model().waiting !== undefined;
    if (move.do === 'act') visit.send(move.event);
    else if (move.do === 'reload') {
      visit.reload();
    } else if (waiting) {
      const call = visit.call();
      const fresh = { exchangeToken: `exchange-token-${++tokens}` };
      const outcome = outcomeOf(move, call, fresh);
      look.outcome?.(call, outcome);
      visit.settle(outcome);
    }
    look.after(visit, visit.calls().slice(before));
  }
}

function outcomeOf(
  move: Exclude<Move, { do: 'act' | 'reload' }>,
  call: Call,
  fresh: { exchangeToken: string },
): Outcome {
  switch (move.do) {
    case 'succeed': {
      const result = call.method === 'auth.exchange_token' ? fresh : results[call.method];
      return { ok: true, result } as Outcome;
    }
    case 'refuse':
      return { ok: false, failure: refused(call.server, move.reason, move.ehr) };
    case 'break':
      return { ok: false, failure: { kind: move.kind, server: call.server } };
  }
}

/** Whether the EHR server may hold a session, as the client knows it, and the last successful removal. */
type Knowledge = { mayHold: boolean; removed: string | undefined };

const SESSION: Knowledge = { mayHold: true, removed: undefined };
const NONE: Knowledge = { mayHold: false, removed: undefined };

function learn(known: Knowledge, call: Call, outcome: Outcome): Knowledge {
  const code = outcome.ok || outcome.failure.kind !== 'refused' ? 0 : outcome.failure.code;
  switch (call.method) {
    case 'auth.confirm_otp':
      return outcome.ok ? SESSION : known;
    case 'patient.get_patient':
      return [-33000, -33001, -33002].includes(code) ? NONE : known;
    case 'embedded_storage.authenticate':
      return code === 0 || code === errorTable.internal_error.code ? SESSION : known;
    case 'embedded_storage.remove_auth_info':
    case 'embedded_storage.remove_authentication':
      if (outcome.ok) return { mayHold: false, removed: call.method };
      return [-33000, -33001].includes(code) ? NONE : known;
    default:
      return known;
  }
}

proves(
  ['4.5-ehr-first', '4.5-auth-after-success', '4.6-ehr-first', '4.6-auth-after-success'],
  'the authorization server ends nothing while the EHR server may hold a session',
  () =>
    holdsOnEachWalk(() => {
      let known = NONE;
      return {
        outcome(call, outcome) {
          known = learn(known, call, outcome);
        },
        after(_visit, sent) {
          for (const { method } of sent) {
            if (method === 'auth.logout') expect(known.mayHold).toBe(false);
            if (method === 'auth.delete_user')
              expect(known.removed).toBe('embedded_storage.remove_authentication');
          }
        },
      };
    }, 1_000),
);

proves(['1-properties-not-to-auth'], 'no patient property is kept, or sent to the auth server', () =>
  holdsOnEachWalk(
    () => ({
      after(visit, sent) {
        const toAuth = sent.filter(({ server }) => server === 'auth');
        const leaky = JSON.stringify([toAuth, snapshotOf(visit.model())]);
        expect(CANARIES.filter((canary) => leaky.includes(canary))).toEqual([]);
      },
    }),
    1_000,
  ),
);

proves(['2.1-id-sent'], 'one call at most is out at a time, with its own number', () =>
  holdsOnEachWalk(
    () => ({
      after(visit, sent) {
        expect(sent.length).toBeLessThanOrEqual(1);
        if (sent.length === 1) expect(visit.model().waiting).toBe(visit.model().asked);
      },
    }),
    500,
  ),
);

const SPENT = ['exchange_token_expired', 'exchange_token_unknown', 'exchange_token_exhausted'];

/** Whether the reply to authenticate leaves no exchange token that could be sent again. */
const isTokenSpent = (outcome: Outcome) =>
  outcome.ok || (outcome.failure.kind === 'refused' && SPENT.includes(outcome.failure.reason ?? ''));

proves(['1-authenticate-in-time', '1-exchange-token-requested'], 'an exchange token is sent in time', () =>
  holdsOnEachWalk(
    () => {
      let usable: string | undefined;
      return {
        outcome(call, outcome) {
          if (call.method === 'auth.exchange_token' && outcome.ok)
            usable = (outcome.result as { exchangeToken: string }).exchangeToken;
          if (call.method === 'embedded_storage.authenticate' && isTokenSpent(outcome)) usable = undefined;
        },
        after(visit, sent) {
          for (const call of sent)
            if (call.method === 'embedded_storage.authenticate')
              expect(call.params.exchangeToken).toBe(usable);
          const { step } = visit.model();
          if (step.at !== 'identify' || step.problem?.kind !== 'refused') return;
          // The authorization server matches no patients, whatever it answers when asked for the next token.
          if (step.problem.server === 'ehr' && step.problem.reason === 'patient_not_matched')
            expect(step.exchangeToken?.value).toBe(usable);
        },
      };
    },
    1_000,
    tokenRefusedAsMatch,
  ),
);

proves(['7-client-handles-errors'], 'whatever happens, the user can always do something about it', () =>
  holdsOnEachWalk(
    () => ({
      after(visit) {
        const model = visit.model();
        if (model.waiting !== undefined) return;
        const ways = acts.filter((event) => {
          const onward = next(model, event);
          return onward.effects.length > 0 || onward.model.step.at !== model.step.at;
        });
        expect(ways).not.toEqual([]);
      },
    }),
    500,
  ),
);
