/** One-time codes: the right one as the control, and each way in which a code can be wrong. */
import type { Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';

/** A code of the same length that is not `code`; `offset` makes several different ones. */
function otherCode(code: string, offset = 1): string {
  const digits = code.replace(/\D/g, '').length || 6;
  return String((Number(code) + offset) % 10 ** digits).padStart(digits, '0');
}

const confirm = (stage: Stage, actor: Parameters<Stage['perform']>[0], label: string, code: string, defect?: string) =>
  stage.perform(actor, 'confirmOtp', { label, ...(defect !== undefined && { defect }) }, { code });

export const wrongCodes: Scenario = {
  id: 'wrong-codes',
  title: 'Codes that are wrong, used already or sent to somebody else are tried beside the right one',
  needs: ['requestOtp', 'confirmOtp'],
  async play(stage) {
    const [eve, fay, nobody] = [stage.actor('Eve'), stage.actor('Fay'), stage.actor('Nobody')];
    await confirm(
      stage,
      nobody,
      'a code although none was requested',
      '000000',
      'no code was requested for this phone',
    );
    const code = await stage.code(eve, 'Eve requests a code');
    await confirm(stage, eve, 'wrong code', otherCode(code), 'the code differs from the one sent');
    const fays = await stage.code(fay, 'Fay requests a code');
    if (fays !== code) await confirm(stage, fay, "another phone's code", code, 'the code was sent to another phone');
    await confirm(stage, fay, 'Fay: right code', fays);
    await confirm(stage, eve, 'right code', code);
    await confirm(stage, eve, 'used code', code, 'the code was used already');
  },
};

export const supersededCode: Scenario = {
  id: 'superseded-code',
  title: 'A second code is requested, and the first one tried before the second',
  needs: ['requestOtp', 'confirmOtp'],
  async play(stage) {
    const gil = stage.actor('Gil');
    const old = await stage.code(gil, 'first code');
    if (!(await stage.passResendPause())) return;
    const fresh = await stage.code(gil, 'second code');
    if (fresh !== old) await confirm(stage, gil, 'superseded code', old, 'a newer code was sent since');
    await confirm(stage, gil, 'newest code', fresh);
  },
};

export const expiredCode: Scenario = {
  id: 'expired-code',
  title: 'A code is tried after its lifetime',
  needs: ['requestOtp', 'confirmOtp'],
  async play(stage) {
    const hal = stage.actor('Hal');
    const inTime = await stage.code(hal, 'a code for use in time');
    await confirm(stage, hal, 'code in time', inTime);
    await stage.passResendPause();
    const code = await stage.code(hal, 'a code to be kept too long');
    const lifetime = (stage.adapter.otpLifetimeSeconds ?? DEFAULT_LIFETIME) * 1_000;
    if (!(await stage.pass(lifetime + 1_000))) {
      stage.note(
        `A code lives ${lifetime / 1_000} s here and the adapter cannot move the clock: its expiry was not tried.`,
      );
      return;
    }
    await confirm(stage, hal, 'expired code', code, 'the lifetime of the code has run out');
  },
};

/** What most servers grant, where the adapter states nothing. */
const DEFAULT_LIFETIME = 300;

/** More tries than any careful server allows. */
const MANY_TRIES = 12;

export const guessedCodes: Scenario = {
  id: 'guessed-codes',
  title: 'Many wrong codes are tried before the right one',
  needs: ['requestOtp', 'confirmOtp'],
  async play(stage) {
    const [ivy, jon] = [stage.actor('Ivy'), stage.actor('Jon')];
    await confirm(stage, jon, 'right code at once', await stage.code(jon, 'Jon requests a code'));
    const code = await stage.code(ivy, 'Ivy requests a code');
    for (let attempt = 1; attempt <= MANY_TRIES; attempt++) {
      await confirm(stage, ivy, 'guess', otherCode(code, attempt), 'a guess');
    }
    await confirm(stage, ivy, 'right code after many guesses', code, 'too many wrong codes came before it');
  },
};

export const knownAndUnknown: Scenario = {
  id: 'known-and-unknown',
  title: 'Codes are requested for phones of users and for phones of nobody',
  needs: ['requestOtp', 'confirmOtp'],
  async play(stage) {
    const known = Array.from({ length: 5 }, (_, index) => stage.actor(`known ${index + 1}`));
    for (const actor of known) await stage.signIn(actor, 'becomes known');
    await stage.passResendPause();
    for (const actor of known) {
      await stage.perform(actor, 'requestOtp', { label: 'code for a known phone' });
      await stage.perform(stage.actor(`un${actor.name}`), 'requestOtp', { label: 'code for an unknown phone' });
    }
  },
};
