/** Draws random sequences of calls and clock jumps. The same seed draws the same sequences. */
import type { Random } from '#protocol/time/random.ts';
import type { Step } from './state-model.ts';

/** One for each user. Two users can want the same patient, and a user may change. */
export const PATIENT_COUNT = 3;

/** The names of the model; real values are invented. */
const USERS = ['u1', 'u2', 'u3'] as const;
const TOKENS = ['t1', 't2', 't3', 't4'] as const;
const EXCHANGE_TOKENS = ['x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7'] as const;
const PATIENTS = Array.from({ length: PATIENT_COUNT }, (_, index) => `p${index}`);

/** Lifetimes of sessions, in minutes: one ends with any clock jump, one with most, one only with two. */
const TTLS = [1, 3, 12] as const;

/** A second more than whole minutes: no call comes at the very end of a lifetime. */
const JUMPS_MS = [61_000, 241_000, 601_000] as const;

type Kind = Step['kind'];

const WEIGHTS: readonly (readonly [Kind, number])[] = [
  ['saveExchangeToken', 5],
  ['authenticate', 7],
  ['saveAuthInfo', 4],
  ['getPatient', 5],
  ['removeAuthInfo', 2],
  ['removeAuthentication', 1],
  ['advance', 2],
];

/** The others draw all names afresh. */
const FAMILIAR_OF_TWELVE = 9;

type Announced = { user: string; token: string; exchangeToken?: string };

export function drawSteps(
  random: Random,
  { length, canAdvance }: { length: number; canAdvance: boolean },
): Step[] {
  const draw = (below: number) => Buffer.from(random(4)).readUInt32BE() % below;
  const one = <T>(list: readonly T[]): T => list[draw(list.length)] as T;
  const kinds = WEIGHTS.flatMap(([kind, weight]) =>
    kind === 'advance' && !canAdvance ? [] : Array.from({ length: weight }, () => kind),
  );
  // True once in so many draws, on average.
  const once = (rarely: number) => draw(rarely) === 0;
  const isFamiliar = () => draw(12) < FAMILIAR_OF_TWELVE;
  // Too many steps that any server refuses would show little.
  const announced: Announced[] = [];
  const known = () => (announced.length > 0 && isFamiliar() ? one(announced) : undefined);
  return Array.from({ length }, (): Step => {
    const kind = one(kinds);
    const { user = one(USERS), token = one(TOKENS), exchangeToken = one(EXCHANGE_TOKENS) } = known() ?? {};
    const ttl = one(TTLS);
    switch (kind) {
      case 'advance':
        return { kind, ms: one(JUMPS_MS) };
      case 'saveExchangeToken': {
        const fresh = one(EXCHANGE_TOKENS);
        announced.push({ user, token, exchangeToken: fresh });
        return { kind, user, token, ttl, exchangeToken: fresh, rightDigest: !once(12) };
      }
      case 'authenticate':
        return { kind, exchangeToken, patient: patientOf(user) };
      case 'saveAuthInfo': {
        const other = once(2) ? token : one(TOKENS);
        announced.push({ user, token: other });
        return { kind, user, token: other, ttl, signOf: once(6) ? one(USERS) : user };
      }
      default:
        return { kind, user, token };
    }
  });

  /** Mostly the patient of this user; else any patient. Undefined: properties of nobody. */
  function patientOf(user: string): string | undefined {
    if (isFamiliar()) return PATIENTS[(USERS as readonly string[]).indexOf(user)];
    return once(3) ? undefined : one(PATIENTS);
  }
}
