import fc from 'fast-check';
import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { seededRandom } from '#protocol/time/random.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import type { Store } from '../store/store.ts';
import { storeEngines } from '../store/testing.ts';
import { type Claim, createOneTimeCodes, type OneTimeCodes } from './one-time-codes.ts';

const PHONES = [
  { kind: 'phone', value: '79990000001' },
  { kind: 'phone', value: '79990000002' },
  { kind: 'email', value: '79990000001' },
] as const;
const LIFETIME_MS = 300_000;
const RESEND_AFTER_MS = 30_000;
const MAX_CODES_PER_DAY = 8;

/** The state of one phone by the rules, in the simplest form. */
type Rule = { code: string; old: string[]; sentAt: number; wrong: number; inUse: boolean } | undefined;
type Model = { now: number; rules: Rule[]; sendings: number[][] };
type Real = { store: Store; codes: OneTimeCodes; advance(ms: number): void; claims: (Claim | undefined)[] };

function outcome<T>(action: () => T): T | string {
  try {
    return action();
  } catch (error) {
    if (error instanceof RpcError) return error.reason;
    throw error;
  }
}

class Request implements fc.Command<Model, Real> {
  readonly at: number;
  constructor(at: number) {
    this.at = at;
  }
  check = () => true;
  run(model: Model, real: Real) {
    const rule = model.rules[this.at];
    const got = outcome(() => real.codes.issue(PHONES[this.at] ?? PHONES[0]));
    const sendings = (model.sendings[this.at] ?? []).filter((at) => at > model.now - 86_400_000);
    if (sendings.some((at) => model.now < at + RESEND_AFTER_MS)) {
      expect(got).toBe('otp_throttled');
    } else if (sendings.length >= MAX_CODES_PER_DAY) {
      expect(got).toBe('otp_limit_reached');
    } else {
      model.sendings[this.at] = [...sendings, model.now];
      expect(got).toMatch(/^\d{6}$/);
      real.claims[this.at] = undefined;
      model.rules[this.at] = {
        code: got,
        old: rule ? [...rule.old, rule.code] : [],
        sentAt: model.now,
        wrong: 0,
        inUse: false,
      };
    }
  }
  toString = () => `request(${this.at})`;
}

type Guess = 'right' | 'wrong' | 'old' | 'other phone';

class Confirm implements fc.Command<Model, Real> {
  readonly at: number;
  readonly guess: Guess;
  readonly next: 'consume' | 'release' | 'hold';
  constructor(at: number, guess: Guess, next: 'consume' | 'release' | 'hold') {
    this.at = at;
    this.guess = guess;
    this.next = next;
  }
  check = () => true;
  run(model: Model, real: Real) {
    const rule = model.rules[this.at];
    const code = this.#codeToTry(model);
    const got = outcome(() => real.codes.claim(PHONES[this.at] ?? PHONES[0], code));
    if (!rule) expect(got).toBe('otp_wrong');
    else if (rule.wrong >= 5) expect(got).toBe('otp_exhausted');
    else if (model.now >= rule.sentAt + LIFETIME_MS) expect(got).toBe('otp_expired');
    else if (code !== rule.code) {
      expect(got).toBe('otp_wrong');
      rule.wrong++;
    } else if (rule.inUse) expect(got).toBe('otp_wrong');
    else {
      const claim = got as Claim;
      expect(claim).toHaveProperty('consume');
      if (this.next === 'hold') {
        rule.inUse = true;
        real.claims[this.at] = claim;
        return;
      }
      if (this.next === 'consume') {
        claim.consume();
        model.rules[this.at] = undefined;
      }
      claim.release();
    }
  }
  #codeToTry(model: Model): string {
    const rule = model.rules[this.at];
    switch (this.guess) {
      case 'right':
        return rule?.code ?? '123456';
      case 'wrong':
        return 'x'.repeat(6);
      case 'old':
        return rule?.old.at(-1) ?? '000000';
      case 'other phone':
        return model.rules[(this.at + 1) % PHONES.length]?.code ?? '000000';
    }
  }
  toString = () => `confirm(${this.at}, ${this.guess}, ${this.next})`;
}

/** The call that claimed the code continues: it succeeds or fails. */
class Settle implements fc.Command<Model, Real> {
  readonly at: number;
  readonly consume: boolean;
  constructor(at: number, consume: boolean) {
    this.at = at;
    this.consume = consume;
  }
  check = (model: Readonly<Model>) => model.rules[this.at]?.inUse === true;
  run(model: Model, real: Real) {
    const claim = real.claims[this.at];
    const rule = model.rules[this.at];
    if (!claim || !rule) throw new Error('The model lost a claim.');
    if (this.consume) {
      claim.consume();
      model.rules[this.at] = undefined;
    } else {
      rule.inUse = false;
    }
    claim.release();
    real.claims[this.at] = undefined;
  }
  toString = () => `settle(${this.at}, ${this.consume ? 'consume' : 'release'})`;
}

class Wait implements fc.Command<Model, Real> {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
  check = () => true;
  run(model: Model, real: Real) {
    real.advance(this.ms);
    model.now += this.ms;
  }
  toString = () => `wait(${this.ms})`;
}

/** A file is slower than memory. */
const RUNS: Readonly<Record<string, number>> = { memory: 300, SQLite: 40 };

test.for(Object.entries(storeEngines))(
  'under any sequence of requests, tries and jumps of time, codes keep their rules (%s)',
  ([name, openStore]) => {
    const at = fc.integer({ min: 0, max: PHONES.length - 1 });
    const guess = fc.constantFrom<Guess>('right', 'wrong', 'wrong', 'old', 'other phone');
    const next = fc.constantFrom<'consume' | 'release' | 'hold'>('consume', 'release', 'hold');
    const jump = fc.oneof(
      fc.constantFrom(1, RESEND_AFTER_MS - 1, RESEND_AFTER_MS, LIFETIME_MS - 1, LIFETIME_MS),
      fc.integer({ min: 1, max: LIFETIME_MS }),
    );
    const commands = fc.commands(
      [
        at.map((phone) => new Request(phone)),
        fc.tuple(at, guess, next).map((given) => new Confirm(...given)),
        fc.tuple(at, fc.boolean()).map((given) => new Settle(...given)),
        jump.map((ms) => new Wait(ms)),
      ],
      { maxCommands: 60 },
    );
    fc.assert(
      fc.property(commands, fc.integer(), (sequence, seed) => {
        const store = openStore();
        const clock = manualClock();
        const codes = createOneTimeCodes(store, clock, seededRandom(seed), {
          resendAfter: RESEND_AFTER_MS / 1_000,
          perDay: MAX_CODES_PER_DAY,
          key: 'key',
        });
        try {
          fc.modelRun(
            () => ({
              model: { now: clock.now(), rules: PHONES.map(() => undefined), sendings: [] },
              real: { store, codes, advance: (ms) => clock.advance(ms), claims: [] },
            }),
            sequence,
          );
        } finally {
          store.close();
        }
      }),
      { numRuns: RUNS[name] ?? 1 },
    );
  },
);
