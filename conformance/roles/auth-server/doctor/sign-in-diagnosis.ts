/** Diagnoses the first steps: requesting a code and signing in. */

import { describe } from '../../../engine/journal/describe-result.ts';
import type { StepResult } from '../../../engine/journal/entry.ts';
import type { Diagnosis } from '../../../engine/party/diagnosis.ts';
import type { Adapter } from '../adapter/adapter.ts';
import { NO_MESSAGE } from '../adapter/otp/sink.ts';
import type { Label } from '../flows/scenario.ts';
import { CODE_WAIT_MS } from '../player/codes/codes.ts';
import type { Driver, User } from '../player/driver.ts';

/** Requests a code. If an earlier doctor requested one a moment ago, waits for the server's pause once. */
export async function requestCode(driver: Driver, patient: User, asked: Label) {
  const request = () => driver.codes.request(patient, asked, { waitMs: CODE_WAIT_MS });
  const first = await request();
  if (!isTooSoon(first.result) || !(await driver.passResendPause())) return { ...first, waited: false };
  return { ...(await request()), waited: true };
}

const isTooSoon = (result: StepResult) => result.kind === 'refused' && result.status === 429;

export function codeRequested(result: StepResult, otpTrouble: string | undefined, waited: boolean): Diagnosis {
  const title = 'A code can be requested';
  const ok = result.kind === 'done';
  const after = waited ? ', after the pause that the server makes between two codes for one phone' : '';
  const found = `${describe(result)}${after}`;
  if (ok) return { id: 'code-requested', title, ok, found };
  if (isTooSoon(result))
    return {
      ...{ id: 'code-requested', title, ok, found },
      remedy:
        'Your server limits codes. State its pause as otp.resendAfterSeconds, wait for its limits to pass, or take other phones with --seed 2.',
    };
  if (result.kind === 'failed' && otpTrouble !== undefined && otpTrouble !== NO_MESSAGE)
    return {
      ...{ id: 'code-requested', title, ok, found: `${found}. ${otpTrouble}` },
      remedy:
        'Choose the otp.sink.shape that your SMS gateway speaks: your server failed because the sink did not take its message.',
    };
  return {
    ...{ id: 'code-requested', title, ok, found },
    remedy: 'Compare steps.requestOtp of the adapter file with what your own client sends: path, headers, members.',
  };
}

/** @param otherNumbers what else in the message could be the code */
export function signedIn(adapter: Adapter, result: StepResult, otherNumbers: readonly string[] = []): Diagnosis {
  const title = 'A user can sign in';
  if (result.kind === 'done') return { id: 'signed-in', title, ok: true, found: describe(result) };
  const missing = adapter.keptNothing?.() ?? [];
  if (missing.length > 0)
    return {
      ...{ id: 'signed-in', title, ok: false },
      found: `${describe(result)}; ${missing.join(' and ')} found nothing in the answer of its step`,
      remedy: 'Correct that place in the adapter file: later steps are sent what it finds.',
    };
  if (result.kind === 'refused' && otherNumbers.length > 0)
    return {
      ...{ id: 'signed-in', title, ok: false },
      found: `${describe(result)}; the message has other numbers that could be the code: ${otherNumbers.join(', ')}`,
      remedy:
        'Perhaps another number of the message is the code: write a pattern in the section otp of the adapter file that finds it. If the code was right, compare steps.confirmOtp with what your own client sends.',
    };
  const remedy =
    'Compare steps.confirmOtp and its extract pointers with a real answer of your server: they must yield user and token.';
  return { id: 'signed-in', title, ok: false, found: describe(result), remedy };
}
