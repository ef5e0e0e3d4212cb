/**
 * Plays a sequence of steps on the EHR server under test and on the state model, and compares their answers.
 * Each sequence has new users, tokens and phones.
 */

import { codeOf } from '../../check.ts';
import type { KnownPerson } from '../../settings.ts';
import type { Called } from '../calls.ts';
import { type AuthInfo, type Cred, METHODS } from '../messages.ts';
import { propertiesOf } from '../patients.ts';
import { signOf } from '../played.ts';
import type { EhrWorld } from '../world.ts';
import { type Outcome, StateModel, type Step } from './state-model.ts';

/**
 * A step that the server answers otherwise than the model; what was expected and what came, as words or
 * codes.
 */
export type StepDifference = {
  step: Step;
  expected: string;
  actual: string;
  /** Whether it breaks a sentence of the interface, and not a decision alone. */
  isOfInterface: boolean;
};

/** Refusals that the interface itself demands, by the call. The others are decisions, or good practice. */
const OF_INTERFACE: Readonly<Partial<Record<Step['kind'], readonly Outcome[]>>> = {
  saveExchangeToken: ['not_authorized'],
  saveAuthInfo: ['not_authorized', 'token_already_stored'],
  authenticate: ['exchange_token_expired', 'patient_not_matched'],
  getPatient: ['not_authorized'],
};

/** Whether the answer to a step breaks a sentence of the interface: a success where it demands an error. */
const breaksInterface = ({ kind }: Step, expected: Outcome, actual: string): boolean =>
  actual === 'ok' && OF_INTERFACE[kind]?.includes(expected) === true;

/** One sequence, played step by step on the server and on a model of its own. */
export class Sequence {
  readonly #world: EhrWorld;
  readonly #people: readonly KnownPerson[];
  readonly #model = new StateModel();
  /** The keys of these three are names of the model, such as u1; the values are what the server is sent. */
  readonly #users = new Map<string, string>();
  readonly #tokens = new Map<string, string>();
  readonly #exchangeTokens = new Map<string, string>();
  /** The key is a user of the model; the value is the newest signature of the user. */
  readonly #signs = new Map<string, string>();
  /** The key is a signature; the value names its link, such as `u1, link 2`. */
  readonly #linkOf = new Map<string, string>();
  /** The tokens that a logout or a disconnect was called with. */
  readonly #ending = new Set<string>();
  /** The phone of all properties that fit nobody. */
  #phone: string;
  #number = 0;

  /** @param people the patients whom the model calls p0, p1 and so on, in this order */
  constructor(world: EhrWorld, people: readonly KnownPerson[]) {
    this.#world = world;
    this.#people = people;
    this.#phone = world.strangersPhone();
  }

  /**
   * Plays one step. Skips a step whose answer the interface leaves open. Returns the difference; undefined:
   * there is none.
   */
  async take(step: Step): Promise<StepDifference | undefined> {
    if (this.#model.isAmbiguous(step) || this.#model.mayBeLimited(step)) return undefined;
    // Whether the token of an ended session stays taken is no matter of the interface.
    const stored = step.kind === 'saveAuthInfo' ? this.#model.sessions.get(step.token) : undefined;
    const isSpent = stored !== undefined && (stored.ended || this.#model.now >= stored.expiresAt);
    const isLeftOver = this.#isLeftByDisconnect(step);
    const expected = this.#model.take(step);
    const isRemoval = step.kind === 'removeAuthentication' || step.kind === 'removeAuthInfo';
    if (isRemoval && expected === 'ok') this.#ending.add(step.token);
    if (step.kind === 'advance') {
      await this.#world.advance(0, step.ms / 1_000);
      return undefined;
    }
    const called = await this.#call(step);
    const actual = outcomeOf(called);
    if (actual !== (expected === 'ok' ? 'ok' : codeOf(expected)))
      return {
        step,
        expected: wordOf(expected),
        actual,
        isOfInterface: !isSpent && !isLeftOver && breaksInterface(step, expected, actual),
      };
    const other = expected === 'ok' ? this.#otherSign(step, called) : undefined;
    return other && { step, ...other, isOfInterface: false };
  }

  /**
   * Whether a step reads with a session that another session of the user has disconnected: that it ends too
   * is good practice, and not a sentence of the interface.
   */
  #isLeftByDisconnect(step: Step): boolean {
    if (step.kind !== 'getPatient') return false;
    return this.#model.sessions.get(step.token)?.ended === true && !this.#ending.has(step.token);
  }

  /** Sends the call of a step to the server. */
  #call(step: Exclude<Step, { kind: 'advance' }>): Promise<Called> {
    const world = this.#world;
    const label = `${++this.#number} ${describeStep(step)}`;
    switch (step.kind) {
      case 'saveExchangeToken': {
        const exchangeToken = this.#exchangeToken(step.exchangeToken);
        const secret = step.rightDigest ? exchangeToken : world.invented('exchange-token');
        return world.saveExchangeToken(label, exchangeToken, this.#authInfo(step), {
          cred: world.internalCred(secret),
        });
      }
      case 'authenticate': {
        const person = step.patient === undefined ? undefined : this.#people[Number(step.patient.slice(1))];
        const properties = person
          ? propertiesOf(person)
          : { ...world.strangersProperties(), phone: this.#phone };
        const owner = this.#model.exchangeTokens.get(step.exchangeToken);
        const session = owner ? this.#authInfo(owner) : world.session();
        const exchangeToken = this.#exchangeToken(step.exchangeToken);
        return world.authenticate(label, { exchangeToken, session }, { properties });
      }
      case 'saveAuthInfo': {
        const sign = this.#signs.get(step.signOf) ?? world.invented('user-sign');
        return world.saveAuthInfo(label, this.#authInfo(step), sign);
      }
      default:
        return world[step.kind](label, this.#pair(step));
    }
  }

  /** Requires that each link has its own signature, which stays as long as the link. Undefined: it is so. */
  #otherSign(step: Step, called: Called): Pick<StepDifference, 'expected' | 'actual'> | undefined {
    const user = this.#readerOf(step);
    if (user === undefined) return undefined;
    const link = this.#model.links.get(user);
    const sign = signOf(called) ?? '';
    const name = `${user}, link ${link?.generation}`;
    const known = this.#linkOf.get(sign);
    const before = [...this.#linkOf].find(([, each]) => each === name)?.[0];
    const expected = `the user_sign of ${name}`;
    if (known !== undefined && known !== name) return { expected, actual: `that of ${known}` };
    if (before !== undefined && before !== sign) return { expected, actual: 'another one' };
    this.#linkOf.set(sign, name);
    this.#signs.set(user, sign);
    return undefined;
  }

  /** The user whose record the answer to this step contains; undefined where it contains no record. */
  #readerOf(step: Step): string | undefined {
    if (step.kind === 'getPatient') return step.user;
    if (step.kind !== 'authenticate') return undefined;
    return this.#model.exchangeTokens.get(step.exchangeToken)?.user;
  }

  #authInfo({ ttl, ...pair }: AuthInfo): AuthInfo {
    return { ...this.#pair(pair), ttl: this.#world.ttl(ttl) };
  }

  #pair({ user, token }: Cred): Cred {
    return {
      user: valueNamed(this.#users, user, () => this.#world.session().user),
      token: valueNamed(this.#tokens, token, () => this.#world.invented('session-token')),
    };
  }

  #exchangeToken(name: string): string {
    return valueNamed(this.#exchangeTokens, name, () => this.#world.invented('exchange-token'));
  }
}

/** Returns the value of a name of the model. The first use of the name invents the value. */
function valueNamed(values: Map<string, string>, name: string, make: () => string): string {
  const value = values.get(name) ?? make();
  values.set(name, value);
  return value;
}

/** How a call ended, in a word: `ok`, the code of a refusal, or what failed. */
function outcomeOf({ result }: Called): string {
  if (result.kind === 'done') return 'ok';
  if (result.kind === 'refused') return result.code ?? `HTTP ${result.status}`;
  return 'detail' in result ? result.detail : result.kind;
}

/** What the model expects, for the report: `ok`, or a code with its reason. */
function wordOf(expected: Outcome): string {
  return expected === 'ok' ? 'ok' : `${codeOf(expected)} (${expected})`;
}

/** Describes a step in words for the report, by the names of the model. */
export function describeStep(step: Step): string {
  switch (step.kind) {
    case 'advance':
      return `${Math.floor(step.ms / 60_000)} min pass`;
    case 'saveExchangeToken':
      return `save_exchange_token ${step.exchangeToken} for ${step.user}/${step.token}, ttl ${step.ttl}${step.rightDigest ? '' : ', wrong digest'}`;
    case 'authenticate':
      return `authenticate with ${step.exchangeToken} as ${step.patient ?? 'nobody'}`;
    case 'saveAuthInfo':
      return `save_auth_info ${step.user}/${step.token}, ttl ${step.ttl}${step.signOf === step.user ? '' : `, signature of ${step.signOf}`}`;
    default:
      return `${METHODS[step.kind].replace(/^.*\./, '')} ${step.user}/${step.token}`;
  }
}
