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
 * codes. `does`: it succeeds where it must be refused; `refuses`: the other way round; `code`: it is refused
 * by another code.
 */
export type StepDifference = {
  step: Step;
  breaks: 'does' | 'refuses' | 'code';
  expected: string;
  actual: string;
};

const breaks = (expected: Outcome, actual: string): StepDifference['breaks'] => {
  if (actual === 'ok') return 'does';
  return expected === 'ok' ? 'refuses' : 'code';
};

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
    if (this.#model.isOpen(step) || this.#model.mayBeLimited(step)) return undefined;
    const isReplyOpen = this.#model.isReplyOpen(step);
    const isReasonOpen = this.#model.isReasonOpen(step);
    const expected = this.#model.take(step);
    if (step.kind === 'advance') {
      await this.#world.advance(0, step.ms / 1_000);
      return undefined;
    }
    const called = await this.#call(step);
    const isRefused = called.result.kind === 'refused';
    if (isReplyOpen || (isReasonOpen && isRefused && expected !== 'ok')) return undefined;
    const actual = outcomeOf(called);
    if (actual !== (expected === 'ok' ? 'ok' : codeOf(expected)))
      return { step, breaks: breaks(expected, actual), expected: wordOf(expected), actual };
    this.#noteSign(step, called);
    return undefined;
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

  /** Notes the signature in an answer with a record: the newest one of a user signs the saves. */
  #noteSign(step: Step, called: Called): void {
    const [user, sign] = [this.#readerOf(step), signOf(called)];
    if (user !== undefined && sign !== undefined) this.#signs.set(user, sign);
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
