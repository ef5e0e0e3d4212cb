/**
 * Turns the values of a recorded request into templates: what is known becomes `${token}`, what an earlier
 * answer gave is kept there and becomes `${keep.name}`, and what is private is replaced.
 */
import { isSecretLike, type SeenValue, wordsOf } from '../../../../engine/learn/values.ts';
import type { Extraction } from '../../../../engine/party/file/step-schema.ts';
import type { ClientCall } from '../calls.ts';
import type { AnswerPlace } from '../places.ts';
import type { ClientStep, Findings } from '../steps.ts';
import { type Giver, giverOf, isBefore, isCookie } from './givers.ts';
import { inventedFor, isHarmless } from './literals.ts';

/** A value, and the template that stands for it. */
type KnownValue = { value: string; template: string };

/** A call that must come before a step, because the step sends what its answer gives. */
type Before = { call: ClientCall; keep: Record<string, Extraction> };

/** A value that a step keeps of an answer, under a name of its own. */
type KeptValue = { variable: string; owner: ClientStep; giver: ClientCall; at: AnswerPlace };

/** Texts shorter than this are replaced only where they are the whole value. */
const MIN_PART_CHARS = 6;

/** Makes templates for all steps of a recording. The steps must come in the order of time. */
export class Templates {
  readonly #findings: Findings;
  /** What each step keeps of its answer. */
  readonly keeps = new Map<ClientStep, Record<string, Extraction>>();
  /** What must be called before a step. */
  readonly befores = new Map<ClientStep, Before>();
  /** The members whose recorded value was replaced by an invented one, by step. */
  readonly invented = new Map<ClientStep, string[]>();
  /** The headers that are not written, by step. */
  readonly leftOut = new Map<ClientStep, string[]>();
  /** The cookies of a session or against CSRF that the client had before the recording, by name. */
  readonly older = new Set<string>();
  /** The environment variables that the file names. */
  readonly variables = new Set<string>();
  /** Whether the recording lacks how the token is sent, as browsers leave that out. */
  readonly isSessionHidden: boolean;
  /** Whether all phones of the recording begin with a plus. */
  readonly hasPlus: boolean;
  readonly #phones: readonly KnownValue[];
  readonly #kept = new Map<string, KeptValue>();

  constructor(findings: Findings) {
    this.#findings = findings;
    const { token, credentials } = findings.signIn;
    this.isSessionHidden = token?.place.in === 'json' && credentials.length === 0;
    const digits = digitsOf(findings.signIn.phone);
    const spellings = new Set(
      findings.calls.flatMap(({ sent }) =>
        sent.map(({ value }) => value).filter((value) => digits !== '' && digitsOf(value) === digits),
      ),
    );
    // A user that is named by the phone is so without the plus, unless the EHR server is sent one.
    const isPlain = isPhone(findings.user.place) && !findings.ehr.user?.startsWith('+');
    const haveOne = [...spellings].every((spelling) => spelling.startsWith('+'));
    this.hasPlus = spellings.size > 0 && haveOne && !isPlain;
    this.#phones = [...spellings].map((value) => ({
      value,
      template: value.startsWith('+') && !this.hasPlus ? '+${phone}' : '${phone}',
    }));
  }

  /** The template for a value that a step sends. */
  of(step: ClientStep, call: ClientCall, { value, name, place }: SeenValue): string {
    const known = this.#knownIn(step).filter((each) => isMeant(each, name, place.in));
    const whole = known.find((each) => each.value === value);
    if (whole) return whole.template;
    const replaced = known
      .filter((each) => each.value.length >= MIN_PART_CHARS)
      .reduce((text, each) => text.replaceAll(each.value, each.template), value);
    if (replaced !== value && isPlain(replaced)) return replaced;
    const kept = this.#keep(step, call, value, name);
    if (kept !== undefined) return `\${keep.${kept}}`;
    if (isHarmless(value, name)) return value.replaceAll('${', () => '$${');
    this.#note(this.invented, step, name || `the ${place.in}`);
    return inventedFor(value);
  }

  /** Notes a header that is not written, because its value is not known and may be a secret. */
  leaveOut(step: ClientStep, header: string): void {
    this.#note(this.leftOut, step, header);
  }

  /** The environment variable that holds a header of every request, such as the key of an application. */
  variableFor(header: string): string {
    const variable = `AUTH_${header.replace(/\W/g, '_').toUpperCase()}`;
    this.variables.add(variable);
    return variable;
  }

  #note(map: Map<ClientStep, string[]>, step: ClientStep, name: string): void {
    map.set(step, [...new Set([...(map.get(step) ?? []), name])]);
  }

  /** The template of a cookie, or undefined for one that no answer set, such as that of a statistic. */
  ofCookie(step: ClientStep, call: ClientCall, { value, name, place }: SeenValue): string | undefined {
    const whole = this.#knownIn(step).find((each) => each.value === value);
    const kept = whole ? undefined : this.#keep(step, call, value, name);
    const isSet = this.#findings.calls.some(
      ({ number, given }) => number < call.number && given.some((each) => isCookieOf(each, name)),
    );
    const isNeeded = place.in === 'cookie' && SESSION_NAME.test(name) && isSecretLike(value);
    if (!whole && !kept && isNeeded && !isSet) this.older.add(name);
    return whole?.template ?? (kept && `\${keep.${kept}}`);
  }

  /** Whether a header carries something that a step knows or that was given before. */
  isGiven(step: ClientStep, call: ClientCall, { value, name }: SeenValue): boolean {
    return this.ofCookie(step, call, { value, name, place: { in: 'header', key: name } }) !== undefined;
  }

  /** The values that a step knows, the longest first. */
  #knownIn(step: ClientStep): KnownValue[] {
    const { signIn, userSign, user } = this.#findings;
    const isSignIn = step === 'requestOtp' || step === 'confirmOtp';
    const known: KnownValue[] = [
      ...this.#phones,
      ...(step === 'confirmOtp' ? signIn.codes.map((value) => ({ value, template: '${code}' })) : []),
      ...(isSignIn ? [] : signIn.tokens.map((value) => ({ value, template: '${token}' }))),
      ...(isSignIn || user.value === undefined ? [] : [{ value: user.value, template: '${user}' }]),
    ];
    if (userSign !== undefined && step === 'confirmOtp')
      known.push({ value: userSign, template: '${userSign?}' });
    if (userSign !== undefined && step === 'reportLink')
      known.push({ value: userSign, template: '${userSign}' });
    return known.toSorted((a, b) => b.value.length - a.value.length);
  }

  /** The name under which an earlier answer keeps this value; undefined where none gave it. */
  #keep(step: ClientStep, call: ClientCall, value: string, name: string): string | undefined {
    const already = this.#kept.get(value);
    const before = this.befores.get(step);
    // The request before a step cannot send what only its own answer gives.
    const isOwn = call === before?.call;
    if (already && isBefore(already.owner, step) && !(isOwn && already.owner === step))
      return already.variable;
    const giver = giverOf(this.#findings, { step, call, value }, before?.call);
    if (!giver || !isDynamic(value, name, giver.at)) return undefined;
    const { owner, at } = giver;
    // One request can come before a step; a second one needs a module.
    const isSecond = owner === undefined && before !== undefined && before.call.title !== giver.call.title;
    if (isSecond && !isReplaceable(before, giver)) return undefined;
    if (isOwn && owner === undefined) return undefined;
    const variable = already?.variable ?? this.#likeIt(giver) ?? this.#nameFor(at.name);
    if (owner !== undefined) add(this.keeps, owner, { [variable]: at.place });
    else
      this.befores.set(step, {
        call: before && !isSecond ? before.call : giver.call,
        keep: { ...before?.keep, [variable]: at.place },
      });
    this.#kept.set(value, { variable, owner: owner ?? step, giver: giver.call, at });
    return variable;
  }

  /** The name of another value that stood at the same place of the same kind of answer. */
  #likeIt({ call, at }: Giver): string | undefined {
    return [...this.#kept.values()].find(
      (other) =>
        other.giver.title === call.title && JSON.stringify(other.at.place) === JSON.stringify(at.place),
    )?.variable;
  }

  #nameFor(name: string): string {
    const [first = 'value', ...others] = wordsOf(name).split(' ');
    const joined = [first, ...others.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)].join(
      '',
    );
    const base = /^[a-z]/i.test(joined) ? joined : `v${joined}`;
    const taken = [...this.#kept.values()].map(({ variable }) => variable);
    return taken.includes(base) ? `${base}${taken.length + 1}` : base;
  }
}

/** Names of cookies without which a server does not know its client. */
const SESSION_NAME = /csrf|xsrf|sess|sid\b|auth|antiforgery/i;
const isCookieOf = ({ place, name }: SeenValue, cookie: string) => place.in === 'cookie' && name === cookie;

const isPhone = (place: Extraction) => typeof place === 'object' && 'value' in place;

const digitsOf = (text: string) => (/^\+?[\d\s().-]+$/.test(text) ? text.replace(/\D/g, '') : '');

/** A user such as `15` is meant only where a name says so, as other numbers may be equal. */
const isMeant = ({ value, template }: KnownValue, name: string, where: SeenValue['place']['in']): boolean =>
  template !== '${user}' || value.length >= 4 || where === 'path' || USER_NAME.test(wordsOf(name));

const USER_NAME = /\b(?:user|uid|id|sub|account|person|patient|client|member|customer|owner)\b/;

/** Whether nothing stands beside the templates but words such as `tel:`. */
const isPlain = (text: string) => /^[a-zA-Z:;,.+=/&_ -]{0,40}$/.test(text.replace(/\$\{[^}]+\}/g, ''));

/** Whether a value is drawn by the server, and not a word that stands in many places. */
function isDynamic(value: string, sentAs: string, at: AnswerPlace): boolean {
  // The script of a page has its constants, too.
  if (at.isInText) return isSecretLike(value) && !CONSTANT.test(value);
  if (isSecretLike(value)) return true;
  const words = wordsOf(sentAs);
  const isSameName = words === wordsOf(at.name);
  if (isSameName && /^[01]$/.test(value)) return /\bid\b/.test(words);
  return (
    (isSameName && (/^\d+$/.test(value) || !isHarmless(value, sentAs))) || (sentAs === '' && /\d/.test(value))
  );
}

/** Words and a version, such as `Web/Core/10.7.1`. */
const CONSTANT = /^[A-Za-z]{0,16}(?:[/._-][A-Za-z]{1,16})*[/._-]?v?\d{0,4}(?:\.\d{1,4})*$/;

/** Whether a page can take the place of the request before: a page that is sent no cookies sets them. */
const isReplaceable = ({ keep }: Before, { call }: Giver): boolean =>
  call.method === 'GET' && Object.values(keep).every(isCookie);

function add(
  map: Map<ClientStep, Record<string, Extraction>>,
  step: ClientStep,
  more: Record<string, Extraction>,
) {
  map.set(step, { ...map.get(step), ...more });
}
