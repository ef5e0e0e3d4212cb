/**
 * The final sweep: asks a fresh process about every session token and every exchange token that was ever
 * named.
 */
import type { Intent } from './check/history.ts';
import { type Secret, sendCall } from './load/client.ts';
import type { Ledger } from './load/ledger.ts';
import type { Fleet, Member } from './world/fleet.ts';

const MAX_CONCURRENT_GROUPS = 24;

/** Asks about everything and records the calls in the ledger, in their groups. */
export async function sweep(
  fleet: Fleet,
  ledger: Ledger,
  secret: Secret,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const [member] = fleet.members as [Member];
  const groups = ledger.groups.values();
  let done = 0;
  const lane = async () => {
    for (const { cast, history } of groups) {
      for (const intent of questionsAbout(history.calls))
        await ledger.enter(history, intent, member.name, (id) => sendCall(member, cast, intent, id, secret));
      onProgress(++done, ledger.groups.length);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_GROUPS }, lane));
}

/**
 * Reads the patient for every user with every token that was ever sent for them, and tries each exchange
 * token once with a wrong match.
 */
function questionsAbout(calls: readonly Intent[]): Intent[] {
  const sessions = new Map<string, Intent>();
  const exchanges = new Map<number, Intent>();
  for (const call of calls) {
    if ('user' in call) {
      const { user, token } = call;
      sessions.set(`${user}/${token}`, { method: 'getPatient', user, token });
    }
    if ('exchange' in call)
      exchanges.set(call.exchange, { method: 'authenticate', exchange: call.exchange, patient: undefined });
  }
  return [...sessions.values(), ...exchanges.values()];
}
