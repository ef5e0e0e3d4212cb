/**
 * Follows values through the calls of a case. A value that an earlier answer, a message or the script itself
 * gave becomes a variable; where a later call sends it, the variable stands.
 */
import { isObject } from '#protocol/wire/envelope.ts';
import { placesIn } from './answer-places.ts';
import { freeName, memberName, quoted } from './js-text.ts';
import { derived } from './text/derive.ts';
import { Digests, type Internal } from './text/digests.ts';
import { drawnText, inventedIn, looksDrawn } from './text/drawn-values.ts';
import { baseName, type DrawnSource, lastOf, type ValueSource } from './text/variable-names.ts';
import type { TracedCall } from './trace/traced-call.ts';

/** A JavaScript expression. */
type Js = string;

/** What a flow knows beside the calls. */
type FlowOptions = {
  /** Whether a phone is drawn by the script; another one is written as it is. */
  isDrawn: (phone: string) => boolean;
  /** Whether the script draws the values that the kit has invented. */
  drawsInvented?: boolean | undefined;
  /** The credentials of the internal channel: the name is USER, and the password makes digests. */
  internal: Internal;
};

/** The values of some calls, and their variables. */
export class Flow {
  readonly #sources: ValueSource[] = [];
  readonly #names = new Map<ValueSource, string>();
  readonly #isDrawn: FlowOptions['isDrawn'];
  readonly #drawsInvented: boolean;
  readonly #digests: Digests;
  /** The group of each call. */
  readonly #groups: number[] = [];
  /** The bodies that were sent so far. */
  #sent = '';
  /** The sources that the expressions of each call have used. */
  readonly #used = new Map<number, Set<ValueSource>>();

  constructor(calls: readonly TracedCall[], { isDrawn, drawsInvented, internal }: FlowOptions) {
    this.#isDrawn = isDrawn;
    this.#digests = new Digests(internal);
    this.#drawsInvented = drawsInvented ?? false;
    for (const [call, traced] of calls.entries()) this.#addFrom(call, traced);
  }

  #addFrom(call: number, traced: TracedCall): void {
    const { phone, codes, given = [], response, link } = traced;
    this.#groups.push(traced.group);
    this.#sent += `${traced.request.body}\n`;
    if (this.#drawsInvented) this.#addInvented(call, traced);
    const known = (value: string) =>
      this.#sources.some((each) => each.from === 'phone' && each.value === value);
    for (const each of [phone, ...codes.map((sent) => sent.phone)])
      if (each && !known(each) && this.#isDrawn(each))
        this.#sources.push({ from: 'phone', value: each, index: this.phones.length });
    for (const { code, phone: to } of codes)
      this.#sources.push({ from: 'code', value: code, call, phone: to });
    for (const each of given) this.#sources.push({ from: 'given', call, ...each });
    if (!response || link === 'helper' || link === 'person') return;
    // What was sent before it was answered is not from the answer.
    for (const [place, value] of placesIn(response).filter(([, value]) => !CONSTANTS.test(value)))
      if (!this.#sent.includes(value)) this.#sources.push({ from: 'answer', value, call, place });
  }

  /** Adds the values that the call brings up: those that no earlier value explains. */
  #addInvented(call: number, traced: TracedCall): void {
    for (const { value, member } of inventedIn(traced)) {
      if (this.#digests.alone(value, member) !== undefined) continue;
      const known = this.#sources.find((each) => this.#madeOf(each, value, 'x') !== undefined);
      const base = known?.from === 'drawn' && known.value !== value ? known : undefined;
      if (!known || base) this.#sources.push({ from: 'drawn', value, member, call, base });
    }
  }

  /** The expression of a text that is made of the value of a source. `name`: the expression of that. */
  #madeOf(source: ValueSource, text: string, name: string): Js | undefined {
    const digest = this.#digests.over(source.value, text, name);
    if (digest !== undefined) return digest;
    return source.from === 'drawn' || looksDrawn(source.value)
      ? derived(text, source.value, name)
      : undefined;
  }

  /** The invented values that the script draws and uses, and the expressions by which it does. */
  get drawn(): readonly { name: string; js: Js }[] {
    const isUsed = (each: ValueSource): each is DrawnSource => each.from === 'drawn' && this.isUsed(each);
    return this.#sources.filter(isUsed).map((each) => {
      const { value, base } = each;
      const js = base && this.#madeOf(base, value, this.nameOf(base));
      return { name: this.nameOf(each), js: js ?? drawnText(value) };
    });
  }

  /** The phones that the script draws, in the order of their variables. */
  get phones(): readonly string[] {
    return this.#sources.flatMap((each) => (each.from === 'phone' ? [each.value] : []));
  }

  /** The sources that an expression for this call has used. */
  usedBy(call: number): readonly ValueSource[] {
    return [...(this.#used.get(call) ?? [])];
  }

  /** The variable of a source. It is named when it is first used. */
  nameOf(source: ValueSource): string {
    const known = this.#names.get(source);
    if (known !== undefined) return known;
    if (source.from === 'drawn' && source.base) this.nameOf(source.base);
    const name = freeName(baseName(source), new Set(this.#names.values()));
    this.#names.set(source, name);
    return name;
  }

  isUsed(source: ValueSource): boolean {
    return this.#names.has(source);
  }

  /** What call `call` gives that is used, and each code to a phone of which a code is used. */
  givenBy(call: number): readonly ValueSource[] {
    const isTaken = (source: ValueSource) =>
      this.#names.has(source) ||
      (source.from === 'code' &&
        this.#sources.some(
          (each) => each.from === 'code' && each.phone === source.phone && this.#names.has(each),
        ));
    return this.#sources.filter(
      (each) => each.from !== 'phone' && each.from !== 'drawn' && each.call === call && isTaken(each),
    );
  }

  /** A text that call `call` sends, as an expression. `member`: the name of the member that has it. */
  textOf(text: string, call: number, member = ''): Js {
    const found =
      this.#digests.alone(text, member) ?? this.#whole(text, call, member) ?? this.#partly(text, call);
    return found ?? quoted(text);
  }

  /** A JSON value that call `call` sends, as an expression. */
  jsonOf(value: unknown, call: number, member = ''): Js {
    if (typeof value === 'string') return this.textOf(value, call, member);
    if (typeof value === 'number') return this.#number(value, call) ?? JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map((each) => this.jsonOf(each, call, member)).join(', ')}]`;
    if (!isObject(value)) return JSON.stringify(value);
    const members = Object.entries(value).map(([name, each]) => {
      const js = this.jsonOf(each, call, name);
      return js === name ? name : `${memberName(name)}: ${js}`;
    });
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }

  /** The variable with exactly this value; undefined: there is none before call `call`. */
  variable(value: string, call: number): Js | undefined {
    return this.#whole(value, call, '', true);
  }

  /** The variable of a code that came of call `from`; undefined: there is none before call `call`. */
  code(from: number, index: number, call: number): Js | undefined {
    const source = this.#sources.filter((each) => each.from === 'code' && each.call === from)[index];
    return source && from < call ? this.#use(source, call) : undefined;
  }

  /** The sources that call `call` may use. Calls of one group are made at once: none has an answer yet. */
  #before(call: number): ValueSource[] {
    const group = this.#groups[call];
    const isBefore = (each: ValueSource) =>
      each.from === 'phone' ||
      (each.from === 'drawn' ? each.call <= call : each.call < call && this.#groups[each.call] !== group);
    return this.#sources.filter(isBefore).reverse();
  }

  #use(source: ValueSource, call: number): string {
    const used = this.#used.get(call) ?? new Set();
    used.add(source);
    this.#used.set(call, used);
    return this.nameOf(source);
  }

  #whole(text: string, call: number, member: string, exactly = false): Js | undefined {
    const sources = this.#before(call);
    const isLong = text.length >= MIN_CHARS;
    const equals = sources.filter((each) => each.value === text && (isLong || lastOf(each) === member));
    // An answer that has a code or a phone in it is not where they come from.
    const equal = equals.find(({ from }) => from !== 'answer') ?? equals[0];
    if (equal) return this.#use(equal, call);
    if (exactly || text.length < 3) return undefined;
    for (const source of sources) {
      const js = this.#digests.over(source.value, text, PROBE);
      if (js !== undefined) return js.replaceAll(PROBE, this.#use(source, call));
    }
    for (const source of sources) {
      if (source.from === 'answer' && (source.value.length < 8 || !looksDrawn(source.value))) continue;
      const js = derived(text, source.value, this.#names.get(source) ?? PROBE);
      if (js === undefined) continue;
      const name = this.#use(source, call);
      return js.replaceAll(PROBE, name);
    }
    return undefined;
  }

  /** Puts variables into a text that has values in it, such as a path or a cookie. */
  #partly(text: string, call: number): Js | undefined {
    const inside = this.#before(call).filter(
      ({ value }) => value.length >= MIN_CHARS && looksDrawn(value) && text.includes(value),
    );
    const [first] = inside.sort((a, b) => b.value.length - a.value.length);
    if (!first) return this.#named(text, call);
    const name = this.#use(first, call);
    const parts = text.split(first.value).map((each) => (each === '' ? '' : this.textOf(each, call)));
    return parts
      .flatMap((each, index) => (index === 0 ? [each] : [name, each]))
      .filter(Boolean)
      .join(' + ');
  }

  /** A changed value after a name or a path, as in `sid=…`, `Bearer …` and `/phones/…`. */
  #named(text: string, call: number): Js | undefined {
    const [, name = '', value = ''] = /^([A-Za-z][\w.-]*[= ]|\/\S*\/)([^\s/]{8,})$/.exec(text) ?? [];
    const js = value === '' ? undefined : (this.#whole(value, call, '') ?? this.#inBase64(value, call));
    return js === undefined ? undefined : `${quoted(name)} + ${js}`;
  }

  /** A text in base64 that has values in it, as in `Basic …`. */
  #inBase64(text: string, call: number): Js | undefined {
    const plain = Buffer.from(text, 'base64').toString();
    const js = Buffer.from(plain).toString('base64') === text ? this.#partly(plain, call) : undefined;
    return js && `base64(${js})`;
  }

  #number(value: number, call: number): Js | undefined {
    const text = String(value);
    if (text.length < MIN_CHARS) return undefined;
    const source = this.#before(call).find((each) => each.value === text && each.from !== 'answer');
    return source && `Number(${this.#use(source, call)})`;
  }
}

/** Values of an answer that are no party's own. */
const CONSTANTS = /^(2\.0|true|false|[a-z]{1,12}|\d{1,3}|-3\d{4})$/;

const PROBE = '\u0000';
/** A shorter value may stand in a text by chance. */
const MIN_CHARS = 4;
