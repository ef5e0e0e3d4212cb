/** Plays steps on a server, and says where its answer differs from that of the model. */
import { codeOf } from '../flow.ts';
import type { KnownPerson } from '../settings.ts';
import type { Called } from './calls.ts';
import { type AuthInfo, type Cred, METHODS, signOf } from './messages.ts';
import { propertiesOf } from './patients.ts';
import { type Outcome, StateModel, type Step } from './state-model.ts';
import type { EhrWorld } from './world.ts';

/** `does`: it succeeds where it must be refused; `refuses`: the other way round; `code`: another code. */
export type StepDifference = {
  step: Step;
  breaks: 'does' | 'refuses' | 'code';
  expected: string;
  actual: string;
};

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
  readonly #strangersPhone: string;
  #number = 0;

  /** @param people the patients whom the model calls p0, p1 and so on, in this order */
  constructor(world: EhrWorld, people: readonly KnownPerson[]) {
    this.#world = world;
    this.#people = people;
    this.#strangersPhone = world.strangersPhone();
  }

  /** Skips a step whose answer the interface leaves open. */
  async take(step: Step): Promise<StepDifference | undefined> {
    if (this.#model.isOpen(step) || this.#model.mayBeLimited(step)) return undefined;
    const isReplyOpen = this.#model.isReplyOpen(step);
    const isReasonOpen = this.#model.isReasonOpen(step);
    const expected = this.#model.take(step);
    if (step.kind === 'advance') {
      await this.#world.parts.advance(step.ms);
      return undefined;
    }
    const called = await this.#callOf(step)();
    const isRefused = called.result.kind === 'refused';
    if (isReplyOpen || (isReasonOpen && isRefused && expected !== 'ok')) return undefined;
    const actual = outcomeOf(called);
    if (actual !== (expected === 'ok' ? 'ok' : codeOf(expected)))
      return { step, breaks: breaks(expected, actual), expected: wordOf(expected), actual };
    this.#noteSign(step, called);
    return undefined;
  }

  #callOf(step: Exclude<Step, { kind: 'advance' }>): () => Promise<Called> {
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
          : { ...world.strangersProperties(), phone: this.#strangersPhone };
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

  #noteSign(step: Step, called: Called): void {
    const [user, sign] = [this.#signedUserOf(step), signOf(called)];
    if (user !== undefined && sign !== undefined) this.#signs.set(user, sign);
  }

  /** The user whose signature the reply to this step holds. */
  #signedUserOf(step: Step): string | undefined {
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

function breaks(expected: Outcome, actual: string): StepDifference['breaks'] {
  if (actual === 'ok') return 'does';
  return expected === 'ok' ? 'refuses' : 'code';
}

function outcomeOf({ result }: Called): string {
  if (result.kind === 'done') return 'ok';
  if (result.kind === 'refused') return result.code ?? `HTTP ${result.status}`;
  return 'detail' in result ? result.detail : result.kind;
}

function wordOf(expected: Outcome): string {
  return expected === 'ok' ? 'ok' : `${codeOf(expected)} (${expected})`;
}

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
